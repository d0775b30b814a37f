// The members of a space by role, and for its managers the open invitations.
import { useState } from "react";
import {
  isClub,
  type Member,
  type OpenInvitation,
  Role,
  roles,
  type Space,
  useInvitations,
  useMembers,
} from "../../api/spaces";
import { useWrite } from "../../api/useWrite";
import { Button, IconButton } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { Icon } from "../../components/Icon";
import { ActionBar } from "../../components/Page";
import { Switch } from "../../components/Switch";
import { spaces } from "../../components/spaces/texts";
import { ErrorNote, errorText, QueryView, Skeleton } from "../../components/states";
import { showToast } from "../../components/toasts";
import { general } from "../../texts";
import { InviteDialog } from "./InviteDialog";
import { MemberDialog } from "./MemberDialog";
import styles from "./SpaceRows.module.css";
import { invitations, members as texts } from "./texts";

export function Members({ space }: { space: Space }) {
  const query = useMembers(space.dpfId);
  const isManager = space.role === Role.manager;
  // Shown together: whichever came later would move the other.
  const isWaiting = useInvitations(space.dpfId, isManager).isLoading;
  const [managed, setManaged] = useState<string | null>(null);
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <QueryView query={query} failure={texts.failed} skeleton={<Skeleton height={14} />}>
        {(all) => {
          if (isWaiting) return <Skeleton height={14} />;
          const member = all.find(({ dpfId }) => dpfId === managed);
          return (
            <>
              <div className={`card ${styles.frame}`}>
                {roles.map((role) => (
                  <Group
                    key={role}
                    title={texts.groups[role]}
                    members={all.filter((one) => one.role === role)}
                    onManage={isManager ? setManaged : null}
                  />
                ))}
              </div>
              {isClub(space) && <OwnName space={space} me={all.find(({ own }) => own)} />}
              {member && <MemberDialog space={space} member={member} onClose={() => setManaged(null)} />}
              {isManager && <Invitations space={space} />}
            </>
          );
        }}
      </QueryView>
      {isManager && (
        <>
          <ActionBar of="list">
            <Button variant="primary" icon="plus" isLarge onPress={() => setInviting(true)}>
              {invitations.invite}
            </Button>
          </ActionBar>
          <InviteDialog space={space} isOpen={isInviting} onClose={() => setInviting(false)} />
        </>
      )}
    </>
  );
}

function Group({
  title,
  members,
  onManage,
}: {
  title: string;
  members: Member[];
  /** Null for a pilot who may not. */
  onManage: ((member: string) => void) | null;
}) {
  if (members.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className={styles.group}>
        <span>{title}</span>
        <span>{members.length}</span>
      </h2>
      <ul>
        {members.map(({ dpfId, name, own, since, nameShown }) => (
          <li key={dpfId} className={styles.row}>
            <span className={styles.initial} aria-hidden="true">
              {[...name][0]?.toUpperCase()}
            </span>
            <div className={styles.text}>
              <p>
                <strong>{name}</strong>
                {own && <span className="quiet"> · {texts.you}</span>}
              </p>
              <p className={styles.about}>
                {[texts.since(since.split(" ")[0] ?? since), nameShown ? "" : texts.hidden]
                  .filter((text) => text !== "")
                  .join(" · ")}
              </p>
            </div>
            {onManage && !own && (
              <IconButton icon="more" label={texts.manage(name)} onPress={() => onManage(dpfId)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether the pilot's own name stands beside a club's gear. */
function OwnName({ space, me }: { space: Space; me: Member | undefined }) {
  const save = useWrite("SaveMember");
  if (me === undefined) return null;
  const isShown = save.isPending ? (save.variables.nameShown ?? me.nameShown) : me.nameShown;
  const change = (nameShown: boolean) => save.mutate({ space: space.dpfId, member: me.dpfId, nameShown });
  return (
    <section className="card" aria-label={texts.own}>
      <Switch isSelected={isShown} onChange={change} isWide>
        {texts.nameShown}
      </Switch>
      {save.error && <ErrorNote>{errorText(save.error, general.saveFailed)}</ErrorNote>}
    </section>
  );
}

function Invitations({ space }: { space: Space }) {
  const query = useInvitations(space.dpfId);
  const revoke = useWrite("DeleteInvitation");
  const [doomed, setDoomed] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  async function remove() {
    setFailure(null);
    try {
      await revoke.mutateAsync({ space: space.dpfId, dpfId: doomed ?? "" });
      showToast(invitations.revoked);
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  return (
    <>
      <QueryView query={query} failure={invitations.failed}>
        {(open) =>
          open.length > 0 && (
            <section className={`card ${styles.frame}`} aria-labelledby="invitations-title">
              <h2 id="invitations-title" className={styles.group}>
                <span>{invitations.title}</span>
                <span>{open.length}</span>
              </h2>
              <ul>
                {open.map((one) => (
                  <Invitation
                    key={one.dpfId}
                    space={space}
                    invitation={one}
                    onRevoke={() => setDoomed(one.dpfId)}
                  />
                ))}
              </ul>
            </section>
          )
        }
      </QueryView>
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <ConfirmDialog
        question={invitations.revokeQuestion}
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        onYes={remove}
        yes={invitations.revoke}
        no={general.cancel}
        isDangerous
      >
        <p>{invitations.revokeHint}</p>
      </ConfirmDialog>
    </>
  );
}

function Invitation({
  space,
  invitation,
  onRevoke,
}: {
  space: Space;
  invitation: OpenInvitation;
  onRevoke: () => void;
}) {
  const { role, uses, usesLeft, by, ends } = invitation;
  const about = [
    // In a household all have the same.
    ...(isClub(space) ? [spaces.roleOf(role)] : []),
    invitations.left(usesLeft, uses),
    invitations.until(ends),
  ].join(" · ");
  return (
    <li className={styles.row}>
      <span className={styles.initial}>
        <Icon name="qr" size={22} />
      </span>
      <div className={styles.text}>
        <p>
          <strong>{invitations.by(by)}</strong>
        </p>
        <p className={styles.about}>{about}</p>
      </div>
      <IconButton icon="close" label={invitations.revokeOf(about)} onPress={onRevoke} />
    </li>
  );
}
