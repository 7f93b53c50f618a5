/**
 * What the parts of a client share.
 */
import type { Client } from '@temporalio/client';
import type { Store } from '../store/index.ts';
import type { Settings } from './settings.ts';

export interface ClientParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly temporal: Client;
}
