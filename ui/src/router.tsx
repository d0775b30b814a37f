// All routes in one list. Every screen but home is loaded when it is opened, or ahead of that. Knows which paths are
// public; SessionGuard checks the session.
import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { PageSkeleton } from "./components/states";
import { HomePage } from "./screens/home/HomePage";
import { ApplicationError } from "./screens/layout/ApplicationError";
import { Layout } from "./screens/layout/Layout";
import { PageError } from "./screens/layout/PageError";
import { SessionGuard } from "./screens/layout/SessionGuard";
import { basePath, urls } from "./urls";

export const routes: RouteObject[] = [
  {
    Component: Layout,
    ErrorBoundary: ApplicationError,
    children: [
      {
        ErrorBoundary: PageError,
        HydrateFallback: PageSkeleton,
        children: [
          {
            path: "login",
            lazy: async () => ({ Component: (await import("./screens/login/LoginPage")).LoginPage }),
          },
          {
            path: "loginConfirmation",
            lazy: async () => ({
              Component: (await import("./screens/loginConfirmation/LoginConfirmation")).LoginConfirmation,
            }),
          },
          {
            path: "register",
            lazy: async () => ({
              Component: (await import("./screens/registration/RegistrationPage")).RegistrationPage,
            }),
          },
          {
            path: "register/verify",
            lazy: async () => ({
              Component: (await import("./screens/registration/VerificationPage")).VerificationPage,
            }),
          },
          {
            path: "setup",
            lazy: async () => ({
              Component: (await import("./screens/entry/SetupPage")).SetupPage,
            }),
          },
          {
            path: "invitation",
            lazy: async () => ({
              Component: (await import("./screens/entry/InvitationPage")).InvitationPage,
            }),
          },
          {
            path: "passwordReset",
            lazy: async () => ({
              Component: (await import("./screens/entry/PasswordResetPage")).PasswordResetPage,
            }),
          },
          {
            path: "newAddress",
            lazy: async () => ({
              Component: (await import("./screens/entry/NewAddressPage")).NewAddressPage,
            }),
          },
          {
            path: "impressum",
            lazy: async () => ({ Component: (await import("./screens/legal/LegalPage")).Impressum }),
          },
          {
            path: "zertifikat",
            lazy: async () => ({
              Component: (await import("./screens/certificate/CertificatePage")).CertificatePage,
            }),
          },
          {
            path: "dataprivacy",
            lazy: async () => ({ Component: (await import("./screens/legal/LegalPage")).DataPrivacy }),
          },
          {
            Component: SessionGuard,
            children: [
              {
                ErrorBoundary: PageError,
                children: [
                  { path: "home", Component: HomePage },
                  {
                    path: "myProfile",
                    lazy: async () => ({
                      Component: (await import("./screens/profile/ProfilePage")).ProfilePage,
                    }),
                  },
                  ...["s/:code", "number/:number?", "equipments/labels"].map((path) => ({
                    path,
                    lazy: async () => ({
                      Component: (await import("./screens/stickers/StickerPages")).StickerPages,
                    }),
                  })),
                  {
                    path: "equipments/:type",
                    lazy: async () => ({
                      Component: (await import("./screens/equipment/EquipmentList")).EquipmentList,
                    }),
                  },
                  {
                    path: "equipments/:type/:dpfId",
                    lazy: async () => ({
                      Component: (await import("./screens/equipment/ItemPage")).ItemPage,
                    }),
                  },
                  {
                    path: "equipments/:type/editor/:dpfId?",
                    lazy: async () => ({
                      Component: (await import("./screens/equipment/EquipmentEditor")).EquipmentEditor,
                    }),
                  },
                  {
                    path: "equipments/:type/passport/:dpfId/:reading?",
                    lazy: async () => ({
                      Component: (await import("./screens/equipment/passport/Passport")).Passport,
                    }),
                  },
                  {
                    path: "review",
                    lazy: async () => ({
                      Component: (await import("./screens/review/ReviewPage")).ReviewPage,
                    }),
                  },
                  {
                    path: "flights",
                    lazy: async () => ({
                      Component: (await import("./screens/flights/FlightList")).FlightList,
                    }),
                  },
                  {
                    path: "flights/config",
                    lazy: async () => ({
                      Component: (await import("./screens/flights/FlightConfig")).FlightConfig,
                    }),
                  },
                  {
                    path: "flights/add",
                    lazy: async () => ({
                      Component: (await import("./screens/flights/AddFlight")).AddFlight,
                    }),
                  },
                  {
                    path: "flights/finish",
                    lazy: async () => ({
                      Component: (await import("./screens/flights/FlightEditor")).FinishOpenFlight,
                    }),
                  },
                  {
                    path: "flights/import/:dpfId?",
                    lazy: async () => ({
                      Component: (await import("./screens/flights/imports/ImportPage")).ImportPage,
                    }),
                  },
                  {
                    path: "flights/voltages",
                    lazy: async () => ({
                      Component: (await import("./screens/flights/voltages/VoltagesPage")).VoltagesPage,
                    }),
                  },
                  {
                    path: "flights/:dpfId",
                    lazy: async () => ({
                      Component: (await import("./screens/flights/FlightDetail")).FlightDetail,
                    }),
                  },
                  ...(["new", "finish", "edit"] as const).map((mode) => ({
                    path: `flights/:dpfId/${mode}`,
                    lazy: async () => {
                      const { FlightEditor } = await import("./screens/flights/FlightEditor");
                      return { element: <FlightEditor mode={mode} /> };
                    },
                  })),
                  {
                    path: "equipments/:type/logs/:dpfId",
                    lazy: async () => ({
                      Component: (await import("./screens/logs/EquipmentLogs")).EquipmentLogs,
                    }),
                  },
                  {
                    path: "myDocuments",
                    lazy: async () => ({
                      Component: (await import("./screens/documents/DocumentsPage")).DocumentsPage,
                    }),
                  },
                  {
                    path: "admin",
                    lazy: async () => ({
                      Component: (await import("./screens/admin/AdminPage")).AdminPage,
                    }),
                  },
                  {
                    path: "waiting",
                    lazy: async () => ({
                      Component: (await import("./screens/waiting/WaitingPage")).WaitingPage,
                    }),
                  },
                  { path: "*", element: <Navigate to={urls.home} replace /> },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];

export const router = createBrowserRouter(routes, { basename: basePath });
