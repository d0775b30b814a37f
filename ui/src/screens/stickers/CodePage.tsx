// The page behind the code of a sticker: the sheet of its item, or why there is none.
import { ApiError } from "../../api/client";
import { useItemOfCode } from "../../api/stickers";
import { ButtonLink } from "../../components/Button";
import { Page, useGoBack } from "../../components/Page";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { urls } from "../../urls";
import { ItemSheet } from "./ItemSheet";
import { stickers as texts } from "./texts";

export function CodePage({ code }: { code: string }) {
  const found = useItemOfCode(code);
  const goBack = useGoBack(urls.home);
  if (found.data) return <ItemSheet item={found.data} />;
  const { error } = found;
  return (
    <Page title={texts.foreign} onBack={goBack} isNarrow>
      {error instanceof ApiError && error.status === 403 ? (
        <EmptyState icon="qr" action={<ButtonLink to={urls.home}>{texts.home}</ButtonLink>}>
          <span role="alert">{error.text}</span>
        </EmptyState>
      ) : (
        <QueryView query={found} failure={texts.failed} skeleton={<Skeleton count={2} height={8} />}>
          {() => null}
        </QueryView>
      )}
    </Page>
  );
}
