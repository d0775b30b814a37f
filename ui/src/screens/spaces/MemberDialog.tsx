// What a manager may do with another member: change the role, and remove them.
import { useState } from "react";
import { type Member, roles, type Space, useInvitations } from "../../api/spaces";
import { useWrite } from "../../api/useWrite";
import { Button } from "../../components/Button";
import { ConfirmDialog, Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { RadioGroup } from "../../components/RadioGroup";
import { spaces } from "../../components/spaces/texts";
import { ErrorNote, errorText } from "../../components/states";
import { showToast } from "../../components/toasts";
import { general } from "../../texts";
import { members as texts } from "./texts";

export function MemberDialog({
  space,
  member,
  onClose,
}: {
  space: Space;
  member: Member;
  onClose: () => void;
}) {
  const save = useWrite("SaveMember");
  const remove = useWrite("RemoveMember");
  const open = useInvitations(space.dpfId).data ?? [];
  const ending = open.filter(({ uses }) => uses > 1).length;
  const [role, setRole] = useState(String(member.role));
  const [isRemoving, setRemoving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const which = { space: space.dpfId, member: member.dpfId };

  async function attempt(work: () => Promise<unknown>, said: string) {
    setFailure(null);
    try {
      await work();
      showToast(said);
      onClose();
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  return (
    <Dialog title={member.name} isOpen onClose={onClose}>
      <DialogBody>
        <div className="stack">
          <RadioGroup
            as="rows"
            aria-label={texts.role}
            value={role}
            choices={roles.map((code) => ({
              value: String(code),
              text: spaces.roleOf(code),
              about: texts.roleAbout[code],
            }))}
            onChange={setRole}
          />
          <Button variant="danger" icon="delete" onPress={() => setRemoving(true)}>
            {texts.remove}
          </Button>
          {failure !== null && <ErrorNote>{failure}</ErrorNote>}
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.cancel}</Button>
        <Button
          variant="primary"
          isDisabled={Number(role) === member.role}
          onPress={() => attempt(() => save.mutateAsync({ ...which, role: Number(role) }), texts.saved)}
        >
          {general.save}
        </Button>
      </DialogActions>
      <ConfirmDialog
        question={texts.removeQuestion(member.name)}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onYes={() => attempt(() => remove.mutateAsync(which), texts.removed(member.name))}
        yes={texts.remove}
        no={general.cancel}
        isDangerous
      >
        <p>{texts.removeHint}</p>
        {ending > 0 && <p>{texts.endsInvitations(ending)}</p>}
      </ConfirmDialog>
    </Dialog>
  );
}
