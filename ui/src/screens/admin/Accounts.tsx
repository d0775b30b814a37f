// "Konten": the list of accounts with search and actions. Shows nothing of a pilot's data.
import { useState } from "react";
import { useAccounts } from "../../api/admin";
import type { AdminAccount } from "../../api/generated/AdminAccount";
import { Button, IconButton } from "../../components/Button";
import { SearchedList } from "../../components/SearchedList";
import { QueryView } from "../../components/states";
import { sizeText } from "../../lib/sizes";
import { AccountDialog } from "./AccountDialog";
import { Buttons, Row, Rows } from "./Facts";
import { InviteDialog } from "./InviteDialog";
import { page, accounts as texts } from "./texts";

const orders = [
  {
    name: "platz",
    text: texts.byRoom,
    compare: (one: AdminAccount, other: AdminAccount) => other.usedBytes - one.usedBytes,
  },
];

export function Accounts() {
  const query = useAccounts();
  const [isInviting, setInviting] = useState(false);
  const [managed, setManaged] = useState<string | null>(null);
  const account = query.data?.find(({ email }) => email === managed);
  return (
    <>
      <Buttons>
        <Button icon="plus" onPress={() => setInviting(true)}>
          {texts.invite}
        </Button>
      </Buttons>
      <QueryView query={query} failure={page.loadFailed}>
        {(rows) => (
          <SearchedList
            rows={rows}
            wordsOf={({ email, nickname }) => [email, nickname]}
            ownOrder={texts.byAddress}
            orders={orders}
          >
            {(shown) => (
              <Rows>
                {shown.map((one) => (
                  <Account key={one.email} account={one} onManage={() => setManaged(one.email)} />
                ))}
              </Rows>
            )}
          </SearchedList>
        )}
      </QueryView>
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
      {account && <AccountDialog account={account} onClose={() => setManaged(null)} />}
    </>
  );
}

function Account({ account, onManage }: { account: AdminAccount; onManage: () => void }) {
  const { email, nickname, lastLogin, usedBytes, quotaBytes } = account;
  const marks = [
    account.own && texts.you,
    account.operator && texts.operator,
    account.disabled && texts.disabled,
  ].filter(Boolean);
  return (
    <Row action={<IconButton icon="more" label={texts.manage(email)} onPress={onManage} />}>
      <p>
        <strong>{nickname}</strong>
        {marks.length > 0 && ` · ${marks.join(" · ")}`}
      </p>
      <p>{email}</p>
      <p className="quiet">
        {lastLogin === "" ? texts.neverLoggedIn : texts.lastLogin(lastLogin)} ·{" "}
        {texts.room(sizeText(usedBytes), quotaBytes === null ? null : sizeText(quotaBytes))}
      </p>
    </Row>
  );
}
