/** Stands where something was sent that cannot be read: it is no value, and who would take it decides what that means. */
export class Undecodable {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}
