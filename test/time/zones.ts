/** The zones and nights of the tests: how their clocks change. */
export interface ZoneNight {
  readonly zone: string;
  /** The moment at which clocks go forward, and what they show then. */
  readonly forward: string;
  /** The first local time that is skipped. */
  readonly skippedFrom: string;
  /** The moment at which clocks go back. */
  readonly back: string;
  /** The first local time that comes twice. */
  readonly doubledFrom: string;
  readonly changeMinutes: number;
}

/** Five zones: north and south, hours and half hours, a change at midnight. */
export const NIGHTS: readonly ZoneNight[] = [
  {
    zone: 'Europe/Paris',
    forward: '2027-03-28T01:00:00Z',
    skippedFrom: '2027-03-28T02:00',
    back: '2027-10-31T01:00:00Z',
    doubledFrom: '2027-10-31T02:00',
    changeMinutes: 60,
  },
  {
    zone: 'America/New_York',
    forward: '2027-03-14T07:00:00Z',
    skippedFrom: '2027-03-14T02:00',
    back: '2027-11-07T06:00:00Z',
    doubledFrom: '2027-11-07T01:00',
    changeMinutes: 60,
  },
  {
    zone: 'Australia/Lord_Howe',
    forward: '2027-10-02T15:30:00Z',
    skippedFrom: '2027-10-03T02:00',
    back: '2027-04-03T15:00:00Z',
    doubledFrom: '2027-04-04T01:30',
    changeMinutes: 30,
  },
  {
    zone: 'America/Santiago',
    forward: '2027-09-05T04:00:00Z',
    skippedFrom: '2027-09-05T00:00',
    back: '2027-04-04T03:00:00Z',
    doubledFrom: '2027-04-03T23:00',
    changeMinutes: 60,
  },
  {
    zone: 'Asia/Beirut',
    forward: '2027-03-27T22:00:00Z',
    skippedFrom: '2027-03-28T00:00',
    back: '2027-10-30T21:00:00Z',
    doubledFrom: '2027-10-30T23:00',
    changeMinutes: 60,
  },
];
