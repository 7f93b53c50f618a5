/**
 * A cancellation scope that is entered without a promise.
 *
 * The SDK's own `run` makes two promises each time, for a time limit that it may have. A walk enters a scope with every
 * branch and sets its limits itself; what it runs inside may be done at once.
 */
import { CancellationScope } from '@temporalio/workflow';

export class WalkScope extends CancellationScope {
  /** What `body` gives; effects that it asks for belong to this scope, also those after its awaits. */
  enter<T>(body: () => T): T {
    return this.run(body as () => never) as T;
  }

  /** Of the SDK: runs `body` once this scope is the current one. */
  protected override runInContext<T>(body: () => Promise<T>): Promise<T> {
    return body();
  }
}
