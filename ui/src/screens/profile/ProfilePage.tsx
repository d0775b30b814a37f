// "Mein Profil": who is logged in, and a line for each topic that opens.
import { useDetailedUser } from "../../api/session";
import { ButtonLink } from "../../components/Button";
import { Page, useGoBack } from "../../components/Page";
import { QueryView, Skeleton } from "../../components/states";
import { urls } from "../../urls";
import { AdminLink } from "./AdminLink";
import { BeforeFluglog } from "./BeforeFluglog";
import { Contact } from "./Contact";
import { OwnData } from "./OwnData";
import { ProfileForm } from "./ProfileForm";
import styles from "./ProfilePage.module.css";
import { Reminders } from "./Reminders";
import { Security } from "./Security";
import { sharing, profileForm as texts } from "./texts";

export function ProfilePage() {
  const query = useDetailedUser();
  const goBack = useGoBack(urls.home);
  return (
    <Page title={texts.title} onBack={goBack} isNarrow>
      <QueryView query={query} failure={texts.loadFailed} skeleton={<Skeleton count={2} height={8} />}>
        {(user) => (
          <>
            <dl className={styles.account}>
              <div>
                <dt>{texts.email}</dt>
                <dd>{user.email}</dd>
              </div>
              <div>
                <dt>{texts.nickname}</dt>
                <dd>{user.nickname}</dd>
              </div>
            </dl>
            <ProfileForm user={user} />
            <Security email={user.email} nickname={user.nickname} />
            <Reminders />
            <Contact contact={user.contact} />
            <BeforeFluglog />
            <OwnData />
            <ButtonLink icon="users" to={urls.spaces}>
              {sharing.open}
            </ButtonLink>
            <AdminLink />
          </>
        )}
      </QueryView>
    </Page>
  );
}
