/** Takes one line of progress for people, without a line end. */
export type Log = (line: string) => void;
