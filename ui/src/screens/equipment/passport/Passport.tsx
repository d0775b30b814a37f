// The routes of a pack's passport and of the form for its readings. Loads the data for PassportPage and ReadingForm.
import { Navigate, useParams } from "react-router";
import { ApiError } from "../../../api/client";
import { Kind } from "../../../api/generated/Kind";
import { usePassport } from "../../../api/passports";
import { ButtonLink } from "../../../components/Button";
import { Page, useGoBack } from "../../../components/Page";
import { EmptyState, errorText, QueryView, Skeleton } from "../../../components/states";
import { logs } from "../../../texts";
import { urls } from "../../../urls";
import { PassportPage } from "./PassportPage";
import { ReadingForm } from "./ReadingForm";
import { passport as texts } from "./texts";

export function Passport() {
  const { type, dpfId = "", reading } = useParams();
  if (type !== String(Kind.Battery)) return <Navigate to={urls.home} replace />;
  return <Loaded key={`${dpfId} ${reading}`} dpfId={dpfId} reading={reading} />;
}

function Loaded({ dpfId, reading }: { dpfId: string; reading: string | undefined }) {
  const query = usePassport(dpfId);
  const goBack = useGoBack(reading === undefined ? urls.item(Kind.Battery, dpfId) : urls.passport(dpfId));
  const { data, error } = query;
  if (data !== undefined && reading === undefined) return <PassportPage passport={data} onBack={goBack} />;
  if (data !== undefined) {
    return (
      <ReadingForm passport={data} dpfId={reading === "new" ? null : (reading ?? null)} onBack={goBack} />
    );
  }
  const isNotYours = error instanceof ApiError && error.status === 403;
  return (
    <Page title={reading === undefined ? texts.title : texts.measure} onBack={goBack}>
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
