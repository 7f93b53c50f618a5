/**
 * Working-time calendars of one tenant, which delays count on.
 *
 * A run keeps the version of a calendar that was the newest when it first counted on it.
 */
import { type Calendar, readCalendar } from '../definitions/index.ts';
import { checkArgument, checkOptions, id, text, wholeNumber } from './check-arguments.ts';
import type { CalendarSummary, PutCalendar, Store, StoredCalendar } from '../store/index.ts';

export class Calendars {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Checks a calendar, a value or the text of one in JSON or YAML, and stores it as a version. Runs that have counted on
   * the calendar before keep theirs.
   * @throws FermataError `calendar.invalid` with all faults in `details.issues`
   */
  async put(calendar: Calendar | string): Promise<PutCalendar> {
    return await this.#store.calendars.put(readCalendar(calendar));
  }

  /** One version, default the newest. @throws FermataError `calendar.not_found` */
  async get(name: string, version?: number): Promise<StoredCalendar> {
    checkArgument('calendars.get.name', name, id);
    if (version !== undefined) checkArgument('calendars.get.version', version, wholeNumber);
    return await this.#store.calendars.get(name, version);
  }

  /** Calendars by name with their newest version, a page at a time, behind the name `after`. */
  async list(page: { readonly after?: string; readonly limit?: number } = {}): Promise<readonly CalendarSummary[]> {
    checkOptions('calendars.list', page, { after: text, limit: wholeNumber });
    return await this.#store.calendars.list(page);
  }
}
