// The form for a pack's readings, and the earlier address of its passport, which leads to the page of the pack.
import { Navigate, useParams } from "react-router";
import { ApiError } from "../../../api/client";
import { Kind } from "../../../api/generated/Kind";
import { usePassport } from "../../../api/passports";
import { ButtonLink } from "../../../components/Button";
import { Page, useGoBack } from "../../../components/Page";
import { EmptyState, errorText, QueryView, Skeleton } from "../../../components/states";
import { logs } from "../../../components/texts/logs";
import { urls } from "../../../urls";
import { ReadingForm } from "./ReadingForm";
import { passport as texts } from "./texts";

export function Passport() {
  const { type, dpfId = "", reading } = useParams();
  if (type !== String(Kind.Battery)) return <Navigate to={urls.home} replace />;
  if (reading === undefined) return <Navigate to={urls.item(Kind.Battery, dpfId)} replace />;
  return <Loaded key={`${dpfId} ${reading}`} dpfId={dpfId} reading={reading} />;
}

function Loaded({ dpfId, reading }: { dpfId: string; reading: string }) {
  const query = usePassport(dpfId);
  const goBack = useGoBack(urls.item(Kind.Battery, dpfId));
  const { data, error } = query;
  if (data !== undefined) {
    return <ReadingForm passport={data} dpfId={reading === "new" ? null : reading} onBack={goBack} />;
  }
  const isNotYours = error instanceof ApiError && error.status === 403;
  return (
    <Page title={texts.measure} onBack={goBack}>
      {isNotYours ? (
        <EmptyState
          icon="warning"
          action={<ButtonLink to={urls.equipments(Kind.Battery)}>{logs.toEquipment}</ButtonLink>}
        >
          <span role="alert">{error.text}</span>
        </EmptyState>
      ) : (
        <QueryView
          query={query}
          failure={(failure) => errorText(failure, texts.failed)}
          skeleton={<Skeleton count={3} height={9} />}
        >
          {() => null}
        </QueryView>
      )}
    </Page>
  );
}
