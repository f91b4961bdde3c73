import { useState } from "preact/hooks";
import { Refusal } from "./server";

/** An action of the user: whether it is running, and its error. */
export interface Action {
  isBusy: boolean;
  error?: Error;
}

/** Runs an action of the user, and keeps its error. */
export function useAction(): [Action, (work: () => Promise<unknown>) => void] {
  const [action, setAction] = useState<Action>({ isBusy: false });
  const run = (work: () => Promise<unknown>) => {
    setAction({ isBusy: true });
    work().then(
      () => setAction({ isBusy: false }),
      (error: Error) => setAction({ isBusy: false, error }),
    );
  };
  return [action, run];
}

/** The error of an action. */
export function Problem({ action: { error } }: { action: Action }) {
  if (!error) return null;
  return (
    <div role="alert" class="problem">
      {error.message}
      {error instanceof Refusal && error.problems.length > 0 && (
        <ul>
          {error.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
