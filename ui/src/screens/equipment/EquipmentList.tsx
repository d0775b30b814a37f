// The items of one kind, either active or retired, depending on the address.
import { useState } from "react";
import { Navigate, useParams, useSearchParams } from "react-router";
import { NetworkFailure } from "../../api/client";
import { useEquipments } from "../../api/equipment";
import { Kind } from "../../api/generated/Kind";
import { parseKind } from "../../api/kinds";
import { actionableOf, useBatteryHints } from "../../api/packs";
import { mayPrint } from "../../api/spaces";
import { Button, ButtonLink } from "../../components/Button";
import { kindIcons } from "../../components/kindIcons";
import { ListTools } from "../../components/listTools";
import { Page, useGoBack } from "../../components/Page";
import { packs as packTexts } from "../../components/packs/texts";
import { useSearchedList } from "../../components/SearchedList";
import { Switch } from "../../components/Switch";
import { spaces as spaceTexts } from "../../components/spaces/texts";
import { type SpaceFilter, useSpaceFilter } from "../../components/spaces/useSpaceFilter";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { equipment as texts } from "../../components/texts/equipment";
import { useMedia } from "../../components/useMedia";
import { general } from "../../texts";
import { retiredParameter, urls } from "../../urls";
import styles from "./EquipmentList.module.css";
import { EquipmentRows } from "./EquipmentRows";
import { HistoryDialog } from "./HistoryDialog";
import { ordersOf, wordsOf } from "./orders";
import { groupsOf } from "./packs";

export function EquipmentList() {
  const type = parseKind(useParams().type);
  if (type === null) return <Navigate to={urls.home} replace />;
  return <KindList key={type} type={type} />;
}

function listFailure(error: Error): string {
  return error instanceof NetworkFailure ? texts.loadFailed : texts.listFailed;
}

/** The state of a list without an item that the filter shows. */
function NoneChosen({ kinds, type, filter }: { kinds: string; type: Kind; filter: SpaceFilter }) {
  const { space, showAll } = filter;
  return (
    <EmptyState icon={kindIcons[type]} action={<Button onPress={showAll}>{spaceTexts.showAll}</Button>}>
      {space === null ? spaceTexts.noneOwn(kinds) : spaceTexts.noneIn(kinds, space.name)}
    </EmptyState>
  );
}

function KindList({ type }: { type: Kind }) {
  const goBack = useGoBack(urls.home);
  const isWide = useMedia("(width >= 60rem)");
  const [parameters, setParameters] = useSearchParams();
  const isRetired = parameters.get(retiredParameter) === "true";
  const query = useEquipments(type, isRetired);
  // Only of the first list: whoever changes to the other one has the focus on the switch.
  const [isFirst, setFirst] = useState(true);
  if (isFirst && !query.isPending) setFirst(false);
  const state = isRetired ? texts.retiredHeading : texts.active;
  const kinds = texts.kinds[type];
  const isByState = type === Kind.Battery && !isRetired;
  const filter = useSpaceFilter();
  const items = filter.chosen(query.data ?? []);
  const packHints = useBatteryHints(type === Kind.Battery);
  const hints = packHints.data ?? [];
  // Without the hints, packs would jump between groups. Other lists don't wait for the hints.
  const isWaiting = isByState && packHints.isLoading;
  const { tools, view, isOwnOrder } = useSearchedList({
    rows: isByState ? groupsOf(items, actionableOf(hints)).flatMap(({ packs }) => packs) : items,
    wordsOf,
    ownOrder: isByState ? texts.orders.ready : texts.orders.name,
    orders: ordersOf(type, isByState),
  });

  // Replaces the history entry: Back leads to the previous screen, not through the views.
  function showRetired(next: boolean) {
    setParameters(next ? { [retiredParameter]: "true" } : {}, { replace: true });
  }
  const addLink = (
    <ButtonLink
      to={urls.newEquipment(type)}
      state={{ isRetired, space: filter.space?.dpfId }}
      variant="primary"
      icon="plus"
    >
      {general.add}
    </ButtonLink>
  );
  return (
    <Page
      title={`${state} ${kinds}`}
      heading={
        <>
          <span className={styles.state}>{state}</span> {kinds}
        </>
      }
      onBack={goBack}
      isCrowded
      isShort
      actions={
        <>
          <ListTools isBare isWaiting={isFirst}>
            {tools}
            <Switch isSelected={isRetired} onChange={showRetired} off={isWide && texts.active}>
              {texts.retired}
            </Switch>
          </ListTools>
          {(items.length !== 0 || isRetired) && addLink}
        </>
      }
    >
      {filter.choice}
      <QueryView query={query} failure={listFailure} skeleton={<Skeleton height={30} />}>
        {() =>
          isWaiting ? (
            <Skeleton height={30} />
          ) : items.length > 0 ? (
            view((found) => <EquipmentRows items={found} hints={hints} isGrouped={isByState && isOwnOrder} />)
          ) : !filter.isAll && query.data?.length !== 0 ? (
            <NoneChosen kinds={kinds} type={type} filter={filter} />
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
      {items.some(mayPrint) && !isRetired && !isWaiting && (
        <p className={styles.labels}>
          <ButtonLink to={urls.labelsOf(type)} variant="quiet" icon="qr">
            {packTexts.labels}
          </ButtonLink>
        </p>
      )}
      {type === Kind.Battery && (
        <HistoryDialog
          batteries={items}
          page={isRetired ? urls.retiredEquipments(type) : urls.equipments(type)}
        />
      )}
    </Page>
  );
}
