// The call that each button of an account makes for an operator.
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { withFakeServer } from "../../api/fakeServer";
import { answerNext, openScreen, sent, toast, user } from "../../test/openScreen";

withFakeServer();

const email = "anna@example.org";
const account = {
  ...{ email, nickname: "Anna", disabled: false, operator: false, own: false, ownQuota: false },
  ...{ created: "01.03.2026 10:00", lastLogin: "", usedBytes: 1_000_000, quotaBytes: null },
};

test("An operator makes a link for a new password, mails one, and ends an account's logins", async () => {
  await openScreen("/admin?bereich=accounts", {
    known: {
      GetAdminState: {
        operator: true,
        adminUi: true,
        confirmedSeconds: 600,
        proof: "password",
        sendsMail: true,
      },
      GetAdminAccounts: [account],
      GetOutbox: { server: "mail.example.org:587", waiting: [], kept: [] },
    },
  });
  await user.press(`${email} verwalten`);
  answerNext("ResetAccount", { url: "https://example.org/app/newPassword#abc", ends: "02.03.2026 10:00" });
  await user.press("Link für neues Passwort");
  await screen.findByDisplayValue("https://example.org/app/newPassword#abc");
  answerNext("ResetAccount", { url: "", ends: "02.03.2026 10:00" });
  await user.press("Link per Mail senden");
  await toast(`Die Mail an ${email} ist unterwegs.`);
  answerNext("LogOutAccount", undefined);
  await user.press("Überall abmelden");
  await toast(`${email} ist überall abgemeldet.`);
  expect(sent("ResetAccount")).toEqual([{ email }, { email, byMail: "true" }]);
  expect(sent("LogOutAccount")).toEqual([{ email }]);
});
