// The logs of one equipment item.
import { useState } from "react";
import { useParams } from "react-router";
import { ApiError } from "../../api/client";
import { useEquipment } from "../../api/equipment";
import type { Log } from "../../api/generated/Log";
import { parseKind } from "../../api/kinds";
import { useEquipmentLogs } from "../../api/logs";
import { mayKeep, mayUse, useOwnSpaces } from "../../api/spaces";
import { Button, ButtonLink } from "../../components/Button";
import { NewLogDialog } from "../../components/logs/LogDialog";
import { LogList } from "../../components/logs/LogList";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { SearchedList } from "../../components/SearchedList";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { logs as texts } from "../../components/texts/logs";
import { useMedia } from "../../components/useMedia";
import { parseDateTime, utcOf } from "../../lib/dates";
import { urls } from "../../urls";

export function EquipmentLogs() {
  const { type, dpfId = "" } = useParams();
  const kind = parseKind(type);
  return <LogsPage key={dpfId} dpfId={dpfId} list={kind === null ? urls.home : urls.equipments(kind)} />;
}

function olderFirst(one: Log, other: Log): number {
  const [first, second] = [parseDateTime(one.time), parseDateTime(other.time)];
  return first && second ? utcOf(first) - utcOf(second) : 0;
}

/** The page for an item that isn't the pilot's. Retrying is useless, so it links to the pilot's own items. */
function ItemNotFound({ list, text }: { list: string; text: string }) {
  return (
    <EmptyState icon="warning" action={<ButtonLink to={list}>{texts.toEquipment}</ButtonLink>}>
      <span role="alert">
        {text} {texts.notYoursHint}
      </span>
    </EmptyState>
  );
}

/** The logs. `list`: address of the list with the item. */
function LogsPage({ dpfId, list }: { dpfId: string; list: string }) {
  const query = useEquipmentLogs(dpfId);
  const goBack = useGoBack(list);
  const isWide = useMedia("(width >= 40rem)");
  const [isWriting, setWriting] = useState(false);
  const about = query.data?.name ?? "";

  // Only a pilot who is in a space has items with fewer rights than all.
  const isShared = useOwnSpaces().length > 0;
  const item = useEquipment(dpfId, isShared).data;
  const rights = isShared ? (item ?? { rights: "see" as const }) : {};
  const create = query.data && mayUse(rights) && (
    <Button variant="primary" icon="plus" onPress={() => setWriting(true)}>
      {texts.create}
    </Button>
  );
  const isEmpty = query.data?.logs.length === 0;
  const { error } = query;
  if (query.data === undefined && error instanceof ApiError && error.status === 403) {
    return (
      <Page title={texts.title} onBack={goBack}>
        <ItemNotFound list={list} text={error.text} />
      </Page>
    );
  }
  return (
    <Page
      title={query.data ? texts.titleOf(query.data.equipmentName) : texts.title}
      onBack={goBack}
      actions={isWide && !isEmpty && create}
    >
      <QueryView query={query} failure={texts.failed} skeleton={<Skeleton count={3} height={5} />}>
        {({ logs }) =>
          logs.length === 0 ? (
            <EmptyState icon="notes" action={create}>
              {texts.empty}
            </EmptyState>
          ) : (
            <SearchedList
              rows={logs}
              wordsOf={({ info, time, documentObj }) => [info, time, documentObj?.name ?? ""]}
              ownOrder={texts.orders.newest}
              orders={[{ name: "aelteste", text: texts.orders.oldest, compare: olderFirst }]}
            >
              {(found) => (
                <div className="card">
                  <LogList logs={found} about={about} isFixed={!mayKeep(rights)} />
                </div>
              )}
            </SearchedList>
          )
        }
      </QueryView>
      {!isWide && !isEmpty && create && <ActionBar of="list">{create}</ActionBar>}
      {query.data && (
        <NewLogDialog
          subject={{ kind: "equipment", dpfId }}
          about={about}
          isOpen={isWriting}
          onClose={() => setWriting(false)}
        />
      )}
    </Page>
  );
}
