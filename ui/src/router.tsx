// All routes. Every screen but home is loaded when it is opened, or prefetched. The public ones need no login;
// SessionGuard checks the session of the others.
import type { ComponentType } from "react";
import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { PageSkeleton } from "./components/states";
import { HomePage } from "./screens/home/HomePage";
import { ApplicationError } from "./screens/layout/ApplicationError";
import { Layout } from "./screens/layout/Layout";
import { PageError } from "./screens/layout/PageError";
import { SessionGuard } from "./screens/layout/SessionGuard";
import { basePath, urls } from "./urls";

/** A route whose screen, the export `name` of a module, is loaded when the route is opened, or prefetched. */
function screen<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): RouteObject {
  return { path, lazy: async () => ({ Component: (await load())[name] }) };
}

const publicScreens: RouteObject[] = [
  screen("login", () => import("./screens/login/LoginPage"), "LoginPage"),
  screen(
    "loginConfirmation",
    () => import("./screens/loginConfirmation/LoginConfirmation"),
    "LoginConfirmation",
  ),
  screen("register", () => import("./screens/registration/RegistrationPage"), "RegistrationPage"),
  screen("register/verify", () => import("./screens/registration/VerificationPage"), "VerificationPage"),
  screen("setup", () => import("./screens/accountLinks/SetupPage"), "SetupPage"),
  screen("invitation", () => import("./screens/accountLinks/InvitationPage"), "InvitationPage"),
  screen("passwordReset", () => import("./screens/accountLinks/PasswordResetPage"), "PasswordResetPage"),
  screen("newAddress", () => import("./screens/accountLinks/NewAddressPage"), "NewAddressPage"),
  screen("invite", () => import("./screens/accountLinks/space/SpaceInvitationPage"), "SpaceInvitationPage"),
  screen("impressum", () => import("./screens/legal/LegalPage"), "Impressum"),
  screen("zertifikat", () => import("./screens/certificate/CertificatePage"), "CertificatePage"),
  screen("dataprivacy", () => import("./screens/legal/LegalPage"), "DataPrivacy"),
];

const stickerScreens = ["s/:code", "number/:number?", "equipments/labels"].map((path) =>
  screen(path, () => import("./screens/stickers/StickerPages"), "StickerPages"),
);

const flightEditors = (["new", "finish", "edit"] as const).map((mode) => ({
  path: `flights/:dpfId/${mode}`,
  lazy: async () => {
    const { FlightEditor } = await import("./screens/flights/FlightEditor");
    return { element: <FlightEditor mode={mode} /> };
  },
}));

const pilotScreens: RouteObject[] = [
  { path: "home", Component: HomePage },
  screen("myProfile", () => import("./screens/profile/ProfilePage"), "ProfilePage"),
  ...stickerScreens,
  screen("equipments/:type", () => import("./screens/equipment/EquipmentList"), "EquipmentList"),
  screen("equipments/:type/:dpfId", () => import("./screens/equipment/ItemPage"), "ItemPage"),
  screen(
    "equipments/:type/editor/:dpfId?",
    () => import("./screens/equipment/EquipmentEditor"),
    "EquipmentEditor",
  ),
  screen(
    "equipments/:type/passport/:dpfId/:reading?",
    () => import("./screens/equipment/passport/Passport"),
    "Passport",
  ),
  screen("review", () => import("./screens/review/ReviewPage"), "ReviewPage"),
  screen("flights", () => import("./screens/flights/FlightList"), "FlightList"),
  screen("flights/config", () => import("./screens/flights/FlightConfig"), "FlightConfig"),
  screen("flights/add", () => import("./screens/flights/AddFlight"), "AddFlight"),
  screen("flights/finish", () => import("./screens/flights/FlightEditor"), "FinishOpenFlight"),
  screen("flights/import/:dpfId?", () => import("./screens/flights/imports/ImportPage"), "ImportPage"),
  screen("flights/voltages", () => import("./screens/flights/voltages/VoltagesPage"), "VoltagesPage"),
  screen("flights/:dpfId", () => import("./screens/flights/FlightDetail"), "FlightDetail"),
  ...flightEditors,
  screen("equipments/:type/logs/:dpfId", () => import("./screens/logs/EquipmentLogs"), "EquipmentLogs"),
  screen("myDocuments", () => import("./screens/documents/DocumentsPage"), "DocumentsPage"),
  screen("spaces", () => import("./screens/spaces/SpacesPage"), "SpacesPage"),
  screen("spaces/:space", () => import("./screens/spaces/SpacePage"), "SpacePage"),
  screen("admin", () => import("./screens/admin/AdminPage"), "AdminPage"),
  screen("waiting", () => import("./screens/waiting/WaitingPage"), "WaitingPage"),
  { path: "*", element: <Navigate to={urls.home} replace /> },
];

export const routes: RouteObject[] = [
  {
    Component: Layout,
    ErrorBoundary: ApplicationError,
    children: [
      {
        ErrorBoundary: PageError,
        HydrateFallback: PageSkeleton,
        children: [
          ...publicScreens,
          { Component: SessionGuard, children: [{ ErrorBoundary: PageError, children: pilotScreens }] },
        ],
      },
    ],
  },
];

export const router = createBrowserRouter(routes, { basename: basePath });
