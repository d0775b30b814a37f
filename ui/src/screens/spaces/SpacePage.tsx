// The page of one space: its members and invitations, its gear, and a menu with what the pilot may do with it.
import { useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { useDownloadAll } from "../../api/account";
import { useAllEquipments } from "../../api/equipment";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import { Role, type Space, useSpaces } from "../../api/spaces";
import { useWrite } from "../../api/useWrite";
import { ButtonLink } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { Menu } from "../../components/Menu";
import type { MenuEntry } from "../../components/MenuPopover";
import { Page, useGoBack } from "../../components/Page";
import { RadioGroup } from "../../components/RadioGroup";
import { spaces } from "../../components/spaces/texts";
import { EmptyState, ErrorNote, errorText, QueryView, Skeleton } from "../../components/states";
import { profile } from "../../components/texts/profile";
import { showToast } from "../../components/toasts";
import { formatMegabytes } from "../../lib/fileKinds";
import { general } from "../../texts";
import { partParameter, urls } from "../../urls";
import { EditSpaceDialog } from "./EditSpaceDialog";
import { Gear } from "./Gear";
import { Members } from "./Members";
import { SeesTable } from "./SeesTable";
import { settings, space as texts } from "./texts";

const parts = ["mitglieder", "geraet", "sichtbar"] as const;
type Part = (typeof parts)[number];

const partNames: Record<Part, string> = {
  mitglieder: texts.members,
  geraet: texts.gear,
  sichtbar: texts.sees,
};

export function SpacePage() {
  const { space: dpfId = "" } = useParams();
  const query = useSpaces();
  const goBack = useGoBack(urls.spaces);
  const space = query.data?.find((one) => one.dpfId === dpfId);
  if (space !== undefined) return <LoadedSpace key={dpfId} space={space} goBack={goBack} />;
  return (
    <Page title={spaces.title} onBack={goBack} isNarrow>
      <QueryView query={query} failure={texts.failed} skeleton={<Skeleton count={2} height={9} />}>
        {() => (
          <EmptyState icon="users" action={<ButtonLink to={urls.spaces}>{texts.toSpaces}</ButtonLink>}>
            <span role="alert">{texts.notYours}</span>
          </EmptyState>
        )}
      </QueryView>
    </Page>
  );
}

/** The active items of a space, in the order of their kinds. */
function itemsOf(all: AllEquipments | undefined, space: string): Equipment[] {
  return all
    ? Object.values(all).flatMap((items) => items.filter((item) => item.space?.dpfId === space))
    : [];
}

function LoadedSpace({ space, goBack }: { space: Space; goBack: () => void }) {
  const [parameters, setParameters] = useSearchParams();
  const part = parts.find((one) => one === parameters.get(partParameter)) ?? parts[0];
  const all = useAllEquipments();
  const items = itemsOf(all.data, space.dpfId);
  const actions = useSpaceActions(space);
  return (
    <Page title={space.name} onBack={goBack} actions={<Menu entries={actions.entries} />} isNarrow isCrowded>
      <p className="quiet">{texts.about(spaces.kindOf(space.kind), space.members, space.items)}</p>
      {actions.failure !== null && <ErrorNote>{actions.failure}</ErrorNote>}
      <RadioGroup
        as="segments"
        aria-label={texts.parts}
        value={part}
        choices={parts.map((value) => ({ value, text: partNames[value] }))}
        onChange={(next) =>
          setParameters({ [partParameter]: next }, { replace: true, preventScrollReset: true })
        }
      />
      {part === "mitglieder" && <Members space={space} />}
      {part === "geraet" && <Gear space={space} query={all} items={items} />}
      {part === "sichtbar" && <SeesTable />}
      {actions.dialogs}
    </Page>
  );
}

/** What the pilot may do with the space as a whole. */
function useSpaceActions(space: Space) {
  const navigate = useNavigate();
  const leave = useWrite("LeaveSpace");
  const dissolve = useWrite("DissolveSpace");
  const download = useDownloadAll();
  const [asked, setAsked] = useState<"edit" | "leave" | "dissolve" | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { dpfId, name, role, members, items } = space;
  const close = () => setAsked(null);
  const ask = (what: typeof asked) => () => {
    setFailure(null);
    setAsked(what);
  };
  async function end(work: Promise<unknown>, said: string) {
    try {
      await work;
      showToast(said);
      await navigate(urls.spaces, { replace: true });
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  async function downloadAll() {
    setFailure(null);
    try {
      const { bytes } = await download.mutateAsync({ withoutFiles: false, space: dpfId });
      showToast(profile.downloadBegunOf(formatMegabytes(bytes)));
    } catch (error) {
      setFailure(errorText(error, profile.downloadFailed));
    }
  }
  const isLast = members === 1;
  const entries: MenuEntry[] = [
    ...(role === Role.manager
      ? [
          { id: "edit", text: settings.edit, icon: "edit" as const, onAction: ask("edit") },
          { id: "download", text: settings.download, icon: "download" as const, onAction: downloadAll },
        ]
      : []),
    isLast
      ? {
          id: "dissolve",
          text: settings.dissolve,
          icon: "delete",
          isDangerous: true,
          onAction: ask("dissolve"),
        }
      : { id: "leave", text: settings.leave, icon: "logout", isDangerous: true, onAction: ask("leave") },
  ];
  return {
    entries,
    failure,
    dialogs: (
      <>
        <EditSpaceDialog space={space} isOpen={asked === "edit"} onClose={close} />
        <ConfirmDialog
          question={settings.leaveQuestion(name)}
          isOpen={asked === "leave"}
          onClose={close}
          onYes={() => end(leave.mutateAsync({ space: dpfId }), settings.left(name))}
          yes={settings.leave}
          no={general.cancel}
          isDangerous
        >
          <p>{settings.leaveHint}</p>
        </ConfirmDialog>
        <ConfirmDialog
          question={settings.dissolveQuestion(name)}
          isOpen={asked === "dissolve"}
          onClose={close}
          onYes={() => end(dissolve.mutateAsync({ space: dpfId }), settings.dissolved(name))}
          yes={settings.dissolve}
          no={general.cancel}
          isDangerous
        >
          <p>{items > 0 ? settings.gearFirst(items) : settings.dissolveHint}</p>
        </ConfirmDialog>
      </>
    ),
  };
}
