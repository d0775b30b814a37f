// "Mein Profil": who one is, and below it the password and the end of every login.
import type { DetailedUser } from "../../api/generated/DetailedUser";
import { useDetailedUser } from "../../api/session";
import { Page, useGoBack } from "../../components/Page";
import { QueryView, Skeleton } from "../../components/states";
import { profile } from "../../texts";
import { urls } from "../../urls";
import { Security } from "./Security";

export function ProfilePage() {
  const query = useDetailedUser();
  const goBack = useGoBack(urls.home);
  return (
    <Page title={profile.title} onBack={goBack} isNarrow>
      <QueryView query={query} failure={profile.loadFailed} skeleton={<Skeleton count={2} height={8} />}>
        {(user) => (
          <>
            <Account user={user} />
            <Security email={user.email} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Account({ user }: { user: DetailedUser }) {
  return (
    <section className="card profile-card" aria-label={profile.account}>
      <h2>{profile.account}</h2>
      <dl className="facts">
        <div>
          <dt>{profile.email}</dt>
          <dd>{user.email}</dd>
        </div>
        <div>
          <dt>{profile.nickname}</dt>
          <dd>{user.nickname}</dd>
        </div>
      </dl>
    </section>
  );
}
