// The two routes of the editor: a new item of a kind, and an existing item. Loads the data; the form is EquipmentForm.
import { useEffect, useRef } from "react";
import { Navigate, useParams } from "react-router";
import { ApiError } from "../../api/client";
import { useEquipment } from "../../api/equipment";
import type { Kind } from "../../api/generated/Kind";
import { parseKind } from "../../api/kinds";
import { mayKeep } from "../../api/spaces";
import { Page, useGoBack } from "../../components/Page";
import { errorText, QueryView, Skeleton } from "../../components/states";
import { equipment as texts } from "../../components/texts/equipment";
import { urls } from "../../urls";
import { EditEquipment } from "./EditEquipment";
import { NewEquipment } from "./NewEquipment";

export function EquipmentEditor() {
  const parameters = useParams();
  const type = parseKind(parameters.type);
  const { dpfId } = parameters;
  if (type === null) return <Navigate to={urls.home} replace />;
  if (dpfId === undefined) return <NewEquipment key={type} type={type} />;
  return <LoadedEditor key={dpfId} type={type} dpfId={dpfId} />;
}

function LoadedEditor({ type, dpfId }: { type: Kind; dpfId: string }) {
  const query = useEquipment(dpfId);
  if (query.error instanceof ApiError && query.error.status === 403) return <OneStepBack type={type} />;
  const item = query.data;
  if (item === undefined) return <LoadingPage type={type} query={query} />;
  // The item's own kind replaces the one in the address once the item is loaded.
  if (item.type !== type) return <Navigate to={urls.equipment(item.type, dpfId)} replace />;
  // The pilot may use the item, but not change it.
  if (!mayKeep(item)) return <Navigate to={urls.item(item.type, dpfId)} replace />;
  return <EditEquipment item={item} />;
}

function LoadingPage({ type, query }: { type: Kind; query: ReturnType<typeof useEquipment> }) {
  const goBack = useGoBack(urls.equipments(type));
  return (
    <Page title={texts.editTitle(texts.kind[type])} onBack={goBack} isNarrow>
      <QueryView
        query={query}
        failure={(error) => errorText(error, texts.loadFailed)}
        skeleton={<Skeleton height={24} />}
      >
        {() => null}
      </QueryView>
    </Page>
  );
}

/** The page for an item that doesn't exist or belongs to somebody else. */
function OneStepBack({ type }: { type: Kind }) {
  const goBack = useGoBack(urls.equipments(type));
  const hasGone = useRef(false);
  useEffect(() => {
    if (hasGone.current) return;
    hasGone.current = true;
    goBack();
  });
  return null;
}
