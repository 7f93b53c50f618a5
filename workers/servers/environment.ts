/** Environment variables as a plain table, so that tests can hand in their own instead of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
