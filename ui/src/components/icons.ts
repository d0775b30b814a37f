// The icons of the application, by what they mean here. Each is imported from a file of its own: only these are built
// and loaded. Knows nothing of size or colour.
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconArchive from "@tabler/icons-react/dist/esm/icons/IconArchive.mjs";
import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconArrowLeft from "@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs";
import IconArrowRight from "@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import IconBattery1 from "@tabler/icons-react/dist/esm/icons/IconBattery1.mjs";
import IconBattery4 from "@tabler/icons-react/dist/esm/icons/IconBattery4.mjs";
import IconBatteryCharging from "@tabler/icons-react/dist/esm/icons/IconBatteryCharging.mjs";
import IconBolt from "@tabler/icons-react/dist/esm/icons/IconBolt.mjs";
import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconCamera from "@tabler/icons-react/dist/esm/icons/IconCamera.mjs";
import IconCardboards from "@tabler/icons-react/dist/esm/icons/IconCardboards.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconChevronsLeft from "@tabler/icons-react/dist/esm/icons/IconChevronsLeft.mjs";
import IconChevronsRight from "@tabler/icons-react/dist/esm/icons/IconChevronsRight.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconCurrentLocation from "@tabler/icons-react/dist/esm/icons/IconCurrentLocation.mjs";
import IconDeviceFloppy from "@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs";
import IconDeviceGamepad2 from "@tabler/icons-react/dist/esm/icons/IconDeviceGamepad2.mjs";
import IconDevices from "@tabler/icons-react/dist/esm/icons/IconDevices.mjs";
import IconDotsVertical from "@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconDrone from "@tabler/icons-react/dist/esm/icons/IconDrone.mjs";
import IconEye from "@tabler/icons-react/dist/esm/icons/IconEye.mjs";
import IconEyeOff from "@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs";
import IconFile from "@tabler/icons-react/dist/esm/icons/IconFile.mjs";
import IconFileMusic from "@tabler/icons-react/dist/esm/icons/IconFileMusic.mjs";
import IconFiles from "@tabler/icons-react/dist/esm/icons/IconFiles.mjs";
import IconFileText from "@tabler/icons-react/dist/esm/icons/IconFileText.mjs";
import IconFileTypeDoc from "@tabler/icons-react/dist/esm/icons/IconFileTypeDoc.mjs";
import IconFileTypePdf from "@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs";
import IconFileTypeXls from "@tabler/icons-react/dist/esm/icons/IconFileTypeXls.mjs";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import IconFlagCheck from "@tabler/icons-react/dist/esm/icons/IconFlagCheck.mjs";
import IconGauge from "@tabler/icons-react/dist/esm/icons/IconGauge.mjs";
import IconHistory from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import IconHome from "@tabler/icons-react/dist/esm/icons/IconHome.mjs";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconListDetails from "@tabler/icons-react/dist/esm/icons/IconListDetails.mjs";
import IconLogout from "@tabler/icons-react/dist/esm/icons/IconLogout.mjs";
import IconMapPin from "@tabler/icons-react/dist/esm/icons/IconMapPin.mjs";
import IconMessage2 from "@tabler/icons-react/dist/esm/icons/IconMessage2.mjs";
import IconMinus from "@tabler/icons-react/dist/esm/icons/IconMinus.mjs";
import IconMountain from "@tabler/icons-react/dist/esm/icons/IconMountain.mjs";
import IconMovie from "@tabler/icons-react/dist/esm/icons/IconMovie.mjs";
import IconNotes from "@tabler/icons-react/dist/esm/icons/IconNotes.mjs";
import IconPackage from "@tabler/icons-react/dist/esm/icons/IconPackage.mjs";
import IconPaperclip from "@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import IconPencilPlus from "@tabler/icons-react/dist/esm/icons/IconPencilPlus.mjs";
import IconPhoto from "@tabler/icons-react/dist/esm/icons/IconPhoto.mjs";
import IconPhotoPlus from "@tabler/icons-react/dist/esm/icons/IconPhotoPlus.mjs";
import IconPlaneDeparture from "@tabler/icons-react/dist/esm/icons/IconPlaneDeparture.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconPrinter from "@tabler/icons-react/dist/esm/icons/IconPrinter.mjs";
import IconQrcode from "@tabler/icons-react/dist/esm/icons/IconQrcode.mjs";
import IconRefresh from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
import IconRestore from "@tabler/icons-react/dist/esm/icons/IconRestore.mjs";
import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconTarget from "@tabler/icons-react/dist/esm/icons/IconTarget.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import IconUpload from "@tabler/icons-react/dist/esm/icons/IconUpload.mjs";
import IconUser from "@tabler/icons-react/dist/esm/icons/IconUser.mjs";
import IconVideo from "@tabler/icons-react/dist/esm/icons/IconVideo.mjs";
import IconWeight from "@tabler/icons-react/dist/esm/icons/IconWeight.mjs";
import IconWifiOff from "@tabler/icons-react/dist/esm/icons/IconWifiOff.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";

export const icons = {
  activate: IconRestore,
  "arrow-down": IconArrowDown,
  "arrow-up": IconArrowUp,
  attachment: IconPaperclip,
  back: IconArrowLeft,
  battery: IconBattery4,
  "battery-charging": IconBatteryCharging,
  "battery-low": IconBattery1,
  bolt: IconBolt,
  calendar: IconCalendar,
  camera: IconVideo,
  check: IconCheck,
  "chevron-down": IconChevronDown,
  "chevron-left": IconChevronLeft,
  "chevron-right": IconChevronRight,
  "chevron-up": IconChevronUp,
  "chevrons-left": IconChevronsLeft,
  "chevrons-right": IconChevronsRight,
  clock: IconClock,
  close: IconX,
  delete: IconTrash,
  devices: IconDevices,
  documents: IconFiles,
  download: IconDownload,
  drone: IconDrone,
  edit: IconPencil,
  eye: IconEye,
  "eye-off": IconEyeOff,
  feedback: IconMessage2,
  file: IconFile,
  "file-audio": IconFileMusic,
  "file-doc": IconFileTypeDoc,
  "file-image": IconPhoto,
  "file-pdf": IconFileTypePdf,
  "file-text": IconFileText,
  "file-video": IconMovie,
  "file-xls": IconFileTypeXls,
  filter: IconFilter,
  finish: IconFlagCheck,
  flights: IconListDetails,
  forward: IconArrowRight,
  gauge: IconGauge,
  goggles: IconCardboards,
  history: IconHistory,
  home: IconHome,
  "image-add": IconPhotoPlus,
  info: IconInfoCircle,
  key: IconKey,
  location: IconCurrentLocation,
  "log-add": IconPencilPlus,
  logout: IconLogout,
  "map-pin": IconMapPin,
  minus: IconMinus,
  more: IconDotsVertical,
  mountain: IconMountain,
  notes: IconNotes,
  offline: IconWifiOff,
  payload: IconPackage,
  "photo-camera": IconCamera,
  plus: IconPlus,
  print: IconPrinter,
  purpose: IconTarget,
  qr: IconQrcode,
  retire: IconArchive,
  retry: IconRefresh,
  route: IconRoute,
  save: IconDeviceFloppy,
  search: IconSearch,
  start: IconPlaneDeparture,
  success: IconCircleCheck,
  transmitter: IconDeviceGamepad2,
  upload: IconUpload,
  user: IconUser,
  warning: IconAlertTriangle,
  weight: IconWeight,
} as const;

export type IconName = keyof typeof icons;
