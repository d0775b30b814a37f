// The items of one kind, either active or retired, depending on the address.
import { Navigate, useParams, useSearchParams } from "react-router";
import { NetworkFailure } from "../../api/client";
import { useEquipments } from "../../api/equipment";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { parseKind } from "../../api/kinds";
import { ButtonLink } from "../../components/Button";
import { kindIcons } from "../../components/kindIcons";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { SearchedList } from "../../components/SearchedList";
import { Switch } from "../../components/Switch";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { general, equipment as texts } from "../../texts";
import { retiredParameter, urls } from "../../urls";
import { EquipmentCard } from "./EquipmentCard";
import styles from "./EquipmentList.module.css";
import { HistoryDialog } from "./HistoryDialog";
import { ordersOf, wordsOf } from "./orders";
import { PackRows } from "./PackRows";
import { readyFirst } from "./packs";

export function EquipmentList() {
  const type = parseKind(useParams().type);
  if (type === null) return <Navigate to={urls.home} replace />;
  return <KindList key={type} type={type} />;
}

function listFailure(error: Error): string {
  return error instanceof NetworkFailure ? texts.loadFailed : texts.listFailed;
}

function KindList({ type }: { type: Kind }) {
  const goBack = useGoBack(urls.home);
  const [parameters, setParameters] = useSearchParams();
  const isRetired = parameters.get(retiredParameter) === "true";
  const query = useEquipments(type, isRetired);
  const state = isRetired ? texts.retiredHeading : texts.active;
  const kinds = texts.kinds[type];

  // Replaces the history entry: Back leads to the previous screen, not through the views.
  function showRetired(next: boolean) {
    setParameters(next ? { [retiredParameter]: "true" } : {}, { replace: true });
  }
  const addLink = (
    <ButtonLink to={urls.newEquipment(type)} state={{ isRetired }} variant="primary" icon="plus">
      {general.add}
    </ButtonLink>
  );
  const isEmpty = query.data?.length === 0;
  const hasRows = type === Kind.Battery && !isRetired;
  return (
    <Page
      title={`${state} ${kinds}`}
      heading={
        <>
          <span className={styles.state}>{state}</span> {kinds}
        </>
      }
      onBack={goBack}
      actions={
        <div className={styles.actions}>
          <Switch isSelected={isRetired} onChange={showRetired} off={texts.active}>
            {texts.retired}
          </Switch>
          {!isEmpty && <div className={hasRows ? undefined : styles.addBeside}>{addLink}</div>}
        </div>
      }
    >
      <QueryView query={query} failure={listFailure} skeleton={<ListSkeleton />}>
        {(items) =>
          items.length > 0 ? (
            <SearchedList
              rows={hasRows ? readyFirst(items) : items}
              wordsOf={wordsOf}
              ownOrder={hasRows ? texts.orders.ready : texts.orders.name}
              orders={ordersOf(type, hasRows)}
            >
              {(found) => (hasRows ? <PackRows packs={found} /> : <Cards items={found} />)}
            </SearchedList>
          ) : isRetired ? (
            <EmptyState
              icon={kindIcons[type]}
              action={<ButtonLink to={urls.equipments(type)}>{texts.showActive}</ButtonLink>}
            >
              {texts.noneRetired(kinds)}
            </EmptyState>
          ) : (
            <EmptyState icon={kindIcons[type]} action={addLink}>
              {texts.noneActive[type]}
            </EmptyState>
          )
        }
      </QueryView>
      {!isEmpty && !hasRows && (
        <div className={styles.addBelow}>
          <ActionBar of="list">{addLink}</ActionBar>
        </div>
      )}
      {type === Kind.Battery && (
        <HistoryDialog
          batteries={query.data ?? []}
          page={isRetired ? urls.retiredEquipments(type) : urls.equipments(type)}
        />
      )}
    </Page>
  );
}

function Cards({ items }: { items: Equipment[] }) {
  return (
    <ul className={styles.cards}>
      {items.map((item) => (
        <li key={item.dpfId}>
          <EquipmentCard item={item} />
        </li>
      ))}
    </ul>
  );
}

function ListSkeleton() {
  return (
    <div className={styles.skeleton}>
      <Skeleton count={3} height={13} />
    </div>
  );
}
