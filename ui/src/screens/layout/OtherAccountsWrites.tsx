// Asks what to do with queued writes that another account has left on this device.
import { useState } from "react";
import { useCachedUser } from "../../api/session";
import { ConfirmDialog } from "../../components/Dialog";
import { otherQueues } from "../../offline/otherQueues";
import { deleteQueue } from "../../offline/queueState";
import { waitingLine } from "../../texts";

/** The dialog, once per start of the application. */
export function OtherAccountsWrites() {
  const account = useCachedUser()?.account;
  return account !== undefined && <Questions key={account} account={account} />;
}

function Questions({ account }: { account: string }) {
  const [others, setOthers] = useState(() => otherQueues(account));
  const [other] = others;
  const next = () => setOthers(others.slice(1));
  return (
    other && (
      <ConfirmDialog
        key={other.account}
        question={waitingLine.othersQuestion(other.nickname)}
        isOpen
        onClose={next}
        onYes={() => deleteQueue(other.account)}
        isDangerous
      >
        <p>{waitingLine.othersHint}</p>
      </ConfirmDialog>
    )
  );
}
