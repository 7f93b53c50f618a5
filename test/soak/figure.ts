/** Prints the figures of a soak: one line each, for people and for scripts. */
export function printFigures(check: string, figures: object): void {
  console.info(`soak ${check}: ${JSON.stringify(figures)}`);
}
