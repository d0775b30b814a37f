// "Mein Profil": the user, and the form to change it.
import { useDetailedUser } from "../../api/session";
import { Page, useGoBack } from "../../components/Page";
import { QueryView, Skeleton } from "../../components/states";
import { urls } from "../../urls";
import { AdminLink } from "./AdminLink";
import { Contact } from "./Contact";
import { Devices } from "./Devices";
import { OwnData } from "./OwnData";
import { ProfileForm } from "./ProfileForm";
import { Reminders } from "./Reminders";
import { Security } from "./Security";
import { profileForm as texts } from "./texts";
import { WithoutNetwork } from "./WithoutNetwork";

export function ProfilePage() {
  const query = useDetailedUser();
  const goBack = useGoBack(urls.home);
  return (
    <Page title={texts.title} onBack={goBack} isNarrow>
      <QueryView query={query} failure={texts.loadFailed} skeleton={<Skeleton count={2} height={8} />}>
        {(user) => (
          <>
            <ProfileForm user={user} />
            <Security email={user.email} nickname={user.nickname} />
            <Contact contact={user.contact} />
            <Devices />
            <Reminders />
            <WithoutNetwork />
            <OwnData />
            <AdminLink />
          </>
        )}
      </QueryView>
    </Page>
  );
}
