// Calls of the admin page. An answer 403 makes the page ask for the password again. Independent of screens.
import { useMutation, useQuery } from "@tanstack/react-query";
import { downloadBackupUrl } from "../urls";
import { keyOf, refresh, setCached } from "./answers";
import { type Answer, ApiError, type Callable, call, type Fields } from "./client";

type AdminRead =
  | "GetAdminOverview"
  | "GetAdminAccounts"
  | "GetAdminSpaces"
  | "GetBackups"
  | "GetOutbox"
  | "GetAdminFeedback"
  | "GetAdminSettings"
  | "GetAdminLog";

const stateIsFreshMs = 10 * 60_000;
/** Poll interval while an archive is made or checked. */
const busyMs = 1_500;
/** Poll interval while the number of the mail isn't typed yet. */
const numberMs = 2_000;

/** Whether the pilot is the operator, and confirmed. Refetched when the confirmation expires. */
export function useAdminState() {
  return useQuery({
    queryKey: keyOf("GetAdminState", {}),
    queryFn: () => call("GetAdminState"),
    staleTime: stateIsFreshMs,
    refetchInterval: ({ state }) => {
      const seconds = state.data?.confirmedSeconds ?? 0;
      return seconds > 0 && (seconds + 1) * 1_000;
    },
  });
}

/** Whether the navigation links to the admin page. */
export function useIsAdmin(): boolean {
  const { data } = useAdminState();
  return data?.operator === true && data.adminUi;
}

async function callAsAdmin<Name extends Callable>(name: Name, fields: Fields<Name>): Promise<Answer<Name>> {
  try {
    return await call(name, fields);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) await refresh("GetAdminState");
    throw error;
  }
}

function useAdminRead<Name extends AdminRead>(name: Name) {
  return useQuery<Answer<Name>>({
    queryKey: keyOf(name, {} as Fields<Name>),
    queryFn: () => callAsAdmin(name, {} as Fields<Name>),
    staleTime: 0,
    gcTime: 0,
  });
}

export const useOverview = () => useAdminRead("GetAdminOverview");
export const useAccounts = () => useAdminRead("GetAdminAccounts");
export const useAdminSpaces = () => useAdminRead("GetAdminSpaces");
export const useMailOutbox = () => useAdminRead("GetOutbox");
export const useAdminFeedback = () => useAdminRead("GetAdminFeedback");
export const useAdminSettings = () => useAdminRead("GetAdminSettings");
export const useAdminLog = () => useAdminRead("GetAdminLog");

/** Polls while a backup is made or checked. */
export function useBackups() {
  return useQuery({
    queryKey: keyOf("GetBackups", {}),
    queryFn: () => callAsAdmin("GetBackups", {}),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => state.data?.busy === true && busyMs,
  });
}

export function useConfirmAdmin() {
  return useMutation({
    mutationFn: (password: string) => call("ConfirmAdmin", { password }),
    onSuccess: (state) => setCached("GetAdminState", {}, state),
  });
}

/** Sends a confirmation mail; the answer is the number to type behind its link. */
export function useMailAdminNumber() {
  return useMutation({ mutationFn: () => callAsAdmin("MailAdminNumber", {}) });
}

/** Polls until the number was typed or has expired; then the page opens. */
export function useNumberTyped(number: string | undefined) {
  return useQuery({
    queryKey: ["adminNumber", number],
    queryFn: async () => {
      const state = await call("CheckAdminNumber");
      const isTyped = state.confirmedSeconds > 0;
      if (isTyped) setCached("GetAdminState", {}, state);
      return isTyped;
    },
    enabled: number !== undefined,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state: { data, error } }) => data !== true && !isFinal(error) && numberMs,
    // The link may be opened in this browser.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: true,
  });
}

/** Whether polling is pointless: any refusal but "busy" and "too many requests". */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

type AdminAction =
  | "InviteAccount"
  | "ResetAccount"
  | "ChangeAccount"
  | "SaveQuota"
  | "LogOutAccount"
  | "DeleteAccount"
  | "SendTestMail"
  | "ResendMails"
  | "MakeBackup"
  | "CheckBackup";

/** Runs an admin action, then refetches the lists of the page. */
export function useAdminAction<Name extends AdminAction>(name: Name) {
  return useMutation({
    mutationFn: (fields: Fields<Name>) => callAsAdmin(name, fields),
    onSuccess: () =>
      refresh(
        "GetAdminState",
        "GetAdminAccounts",
        "GetBackups",
        "GetOutbox",
        "GetAdminOverview",
        "GetAdminLog",
      ),
  });
}

/**
 * Starts the browser's download of a backup. Asks the server first, because a browser doesn't report why a download was
 * refused.
 */
export function useDownloadBackup() {
  return useMutation({
    mutationFn: async () => {
      await callAsAdmin("GetBackups", {});
      const link = document.createElement("a");
      link.href = downloadBackupUrl;
      link.download = "";
      link.click();
    },
  });
}
