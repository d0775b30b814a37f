// "Verwaltung": administration in the browser. Asks for the password first, and again after a while. The overview is
// always shown; the address names the one other part that is open.
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { useAdminState } from "../../api/admin";
import { Disclosure } from "../../components/Disclosure";
import type { IconName } from "../../components/icons";
import { Page, useGoBack } from "../../components/Page";
import { InfoNote, QueryView, Skeleton } from "../../components/states";
import { adminParameter, urls } from "../../urls";
import { Accounts } from "./Accounts";
import styles from "./Admin.module.css";
import { AdminLogin } from "./AdminLogin";
import { Backups } from "./Backups";
import { Feedback, Log, Settings } from "./Lists";
import { Mails } from "./Mails";
import { Overview } from "./Overview";
import { Spaces } from "./Spaces";
import { parts, page as texts } from "./texts";

type Part = keyof typeof parts;

const contents: Record<Part, { icon: IconName; show: () => ReactNode }> = {
  accounts: { icon: "user", show: () => <Accounts /> },
  spaces: { icon: "users", show: () => <Spaces /> },
  backups: { icon: "save", show: () => <Backups /> },
  mails: { icon: "attachment", show: () => <Mails /> },
  feedback: { icon: "feedback", show: () => <Feedback /> },
  settings: { icon: "filter", show: () => <Settings /> },
  log: { icon: "history", show: () => <Log /> },
};

export function AdminPage() {
  const state = useAdminState();
  return (
    <Page title={texts.title} onBack={useGoBack(urls.home)} isNarrow>
      <QueryView query={state} failure={texts.loadFailed} skeleton={<Skeleton count={2} height={8} />}>
        {(answer) => {
          const { operator, adminUi, confirmedSeconds } = answer;
          if (!operator) return <InfoNote>{texts.notOperator}</InfoNote>;
          if (!adminUi) return <InfoNote>{texts.notOffered}</InfoNote>;
          return confirmedSeconds > 0 ? <Parts /> : <AdminLogin state={answer} />;
        }}
      </QueryView>
    </Page>
  );
}

/** Scrolls a part to the top when it was opened from far above. */
function toTop(part: HTMLElement | null): void {
  part?.scrollIntoView({ block: "start" });
}

function Parts() {
  const [parameters, setParameters] = useSearchParams();
  const open = parameters.get(adminParameter);
  const show = (part: Part, isOpen: boolean) =>
    setParameters(isOpen ? { [adminParameter]: part } : {}, { replace: true, preventScrollReset: true });
  return (
    <>
      <Overview />
      {(Object.keys(contents) as Part[]).map((part) => (
        <div key={part} className={styles.part} ref={open === part ? toTop : null}>
          <Disclosure
            title={parts[part]}
            icon={contents[part].icon}
            isOpen={open === part}
            onOpenChange={(isOpen) => show(part, isOpen)}
          >
            {/* Only the open part loads its data. */}
            {open === part && contents[part].show()}
          </Disclosure>
        </div>
      ))}
      <p className="quiet">{texts.privacy}</p>
    </>
  );
}
