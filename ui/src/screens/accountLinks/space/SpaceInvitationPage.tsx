// The page behind the link of an invitation into a space: who invites, what the others will see and what not. A pilot
// who is logged in joins at once; others log in first, or make an account here.
import { useState } from "react";
import { useNavigate } from "react-router";
import { useSession } from "../../../api/session";
import { isClub, type Offer, useOffer, useRegisterByInvitation } from "../../../api/spaces";
import { useWrite } from "../../../api/useWrite";
import { Button, ButtonLink } from "../../../components/Button";
import { Disclosure } from "../../../components/Disclosure";
import { Icon } from "../../../components/Icon";
import { ActionBar, PageFrame, useFocusOnArrival } from "../../../components/Page";
import { Switch } from "../../../components/Switch";
import { Seen, SeenList } from "../../../components/spaces/SeenList";
import { spaces } from "../../../components/spaces/texts";
import { ErrorNote, errorText, QueryView, Skeleton } from "../../../components/states";
import { showToast } from "../../../components/toasts";
import { general, unbroken } from "../../../texts";
import { urls } from "../../../urls";
import { AccountForm } from "../AccountForm";
import { DeadLink, isGone, LinkPage } from "../LinkPage";
import { links } from "../texts";
import styles from "./SpaceInvitationPage.module.css";
import { invitation as texts } from "./texts";

export function SpaceInvitationPage() {
  return <LinkPage url={urls.spaceInvitation}>{(token) => <Invited token={token} />}</LinkPage>;
}

function Invited({ token }: { token: string }) {
  const accept = useWrite("AcceptSpaceInvitation");
  const join = useRegisterByInvitation(token);
  const isUsed = [accept, join].some(({ isPending, isSuccess }) => isPending || isSuccess);
  const query = useOffer(token, { isUsed });
  const session = useSession();
  const [isNameShown, setNameShown] = useState(true);
  const navigate = useNavigate();
  const gone = [query.error, accept.error, join.error].find(isGone);
  if (gone) return <DeadLink title={links.goneTitle} text={gone.text} />;

  async function enter() {
    const joined = await accept.mutateAsync({ token, nameShown: isNameShown }).catch(() => undefined);
    // The error is shown below.
    if (joined === undefined) return;
    showToast(texts.joined(joined.name));
    await navigate(urls.spacePart(joined.dpfId, "geraet"), { replace: true });
  }
  const isLoggedIn = Boolean(session.data?.user);
  return (
    <PageFrame isNarrow>
      <QueryView
        query={query}
        failure={(error) => errorText(error, general.failed)}
        skeleton={<Skeleton count={3} height={8} />}
      >
        {(offer) => (
          <>
            <Head offer={offer} />
            <Card offer={offer} isNameShown={isNameShown} onNameShown={setNameShown} />
            {accept.error && <ErrorNote>{errorText(accept.error, general.failed)}</ErrorNote>}
            {isLoggedIn ? (
              <Answer space={offer.space} onJoin={enter} />
            ) : (
              !session.isPending && (
                <Visitor
                  token={token}
                  onCreate={async (fields) => {
                    await join.mutateAsync({ ...fields, nameShown: isNameShown });
                    showToast(texts.joined(offer.name));
                  }}
                />
              )
            )}
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function Head({ offer }: { offer: Offer }) {
  const { name, role, by, members, items, ends } = offer;
  const focusOnArrival = useFocusOnArrival();
  return (
    <div className={styles.head}>
      <title>{`${texts.title} · ${general.product}`}</title>
      <span className={styles.sign}>
        <Icon name="users" size={40} />
      </span>
      <h1 tabIndex={-1} ref={focusOnArrival}>
        {name}
      </h1>
      <p className="quiet">
        {texts.invitesAs(by)} <strong>{isClub(offer) ? spaces.roleOf(role) : texts.equal}</strong>{" "}
        {texts.invitesEnd}
      </p>
      <p className="quiet">{texts.counts(members, items, unbroken(ends))}</p>
    </div>
  );
}

function Card({
  offer,
  isNameShown,
  onNameShown,
}: {
  offer: Offer;
  isNameShown: boolean;
  onNameShown: (isShown: boolean) => void;
}) {
  const words = isClub(offer) ? texts.club : texts.household;
  return (
    <div className={`card ${styles.card}`}>
      <section>
        <h2>{words.sees}</h2>
        <SeenList>
          {words.seen.map((line) => (
            <Seen key={line}>{line}</Seen>
          ))}
        </SeenList>
      </section>
      <section>
        <h2>{words.seesNot}</h2>
        <SeenList>
          {texts.hidden.map((line) => (
            <Seen key={line} isHidden>
              {line}
            </Seen>
          ))}
        </SeenList>
      </section>
      {isClub(offer) && offer.space === null && (
        <div>
          <Switch isSelected={isNameShown} onChange={onNameShown} isWide>
            {texts.nameShown}
          </Switch>
        </div>
      )}
    </div>
  );
}

function Answer({ space, onJoin }: { space: string | null; onJoin: () => Promise<void> }) {
  if (space !== null) {
    return (
      <>
        <p>{texts.already}</p>
        <ButtonLink to={urls.space(space)} variant="primary" isLarge>
          {texts.toSpace}
        </ButtonLink>
      </>
    );
  }
  return (
    <ActionBar>
      <ButtonLink to={urls.home} variant="quiet">
        {texts.decline}
      </ButtonLink>
      <Button variant="primary" isLarge onPress={onJoin}>
        {texts.join}
      </Button>
    </ActionBar>
  );
}

function Visitor({
  token,
  onCreate,
}: {
  token: string;
  onCreate: Parameters<typeof AccountForm>[0]["onCreate"];
}) {
  return (
    <div className="stack">
      <ButtonLink
        to={urls.login}
        state={{ from: urls.spaceInvitationOf(token) }}
        variant="primary"
        icon="key"
        isLarge
      >
        {texts.logIn}
      </ButtonLink>
      <Disclosure title={texts.newAccount} icon="user">
        <p>{texts.newAccountHint}</p>
        <AccountForm nickname="" onCreate={onCreate} />
      </Disclosure>
    </div>
  );
}
