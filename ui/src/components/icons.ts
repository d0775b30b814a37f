// Icons by their meaning in the application. Each is imported from its own file, so that only these are bundled.
// Independent of size and colour.
import { __iconNode as IconAlertTriangle } from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import { __iconNode as IconArchive } from "@tabler/icons-react/dist/esm/icons/IconArchive.mjs";
import { __iconNode as IconArrowDown } from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import { __iconNode as IconArrowLeft } from "@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs";
import { __iconNode as IconArrowRight } from "@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs";
import { __iconNode as IconArrowsSort } from "@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs";
import { __iconNode as IconArrowUp } from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import { __iconNode as IconBattery1 } from "@tabler/icons-react/dist/esm/icons/IconBattery1.mjs";
import { __iconNode as IconBattery4 } from "@tabler/icons-react/dist/esm/icons/IconBattery4.mjs";
import { __iconNode as IconBatteryCharging } from "@tabler/icons-react/dist/esm/icons/IconBatteryCharging.mjs";
import { __iconNode as IconBolt } from "@tabler/icons-react/dist/esm/icons/IconBolt.mjs";
import { __iconNode as IconCalendar } from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import { __iconNode as IconCamera } from "@tabler/icons-react/dist/esm/icons/IconCamera.mjs";
import { __iconNode as IconCardboards } from "@tabler/icons-react/dist/esm/icons/IconCardboards.mjs";
import { __iconNode as IconCheck } from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import { __iconNode as IconChevronDown } from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import { __iconNode as IconChevronLeft } from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import { __iconNode as IconChevronRight } from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { __iconNode as IconChevronsLeft } from "@tabler/icons-react/dist/esm/icons/IconChevronsLeft.mjs";
import { __iconNode as IconChevronsRight } from "@tabler/icons-react/dist/esm/icons/IconChevronsRight.mjs";
import { __iconNode as IconChevronUp } from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import { __iconNode as IconCircleCheck } from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import { __iconNode as IconClock } from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import { __iconNode as IconCurrentLocation } from "@tabler/icons-react/dist/esm/icons/IconCurrentLocation.mjs";
import { __iconNode as IconDeviceFloppy } from "@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs";
import { __iconNode as IconDeviceGamepad2 } from "@tabler/icons-react/dist/esm/icons/IconDeviceGamepad2.mjs";
import { __iconNode as IconDevices } from "@tabler/icons-react/dist/esm/icons/IconDevices.mjs";
import { __iconNode as IconDots } from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import { __iconNode as IconDotsVertical } from "@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs";
import { __iconNode as IconDownload } from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { __iconNode as IconDrone } from "@tabler/icons-react/dist/esm/icons/IconDrone.mjs";
import { __iconNode as IconEye } from "@tabler/icons-react/dist/esm/icons/IconEye.mjs";
import { __iconNode as IconEyeOff } from "@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs";
import { __iconNode as IconFile } from "@tabler/icons-react/dist/esm/icons/IconFile.mjs";
import { __iconNode as IconFileMusic } from "@tabler/icons-react/dist/esm/icons/IconFileMusic.mjs";
import { __iconNode as IconFiles } from "@tabler/icons-react/dist/esm/icons/IconFiles.mjs";
import { __iconNode as IconFileText } from "@tabler/icons-react/dist/esm/icons/IconFileText.mjs";
import { __iconNode as IconFileTypeDoc } from "@tabler/icons-react/dist/esm/icons/IconFileTypeDoc.mjs";
import { __iconNode as IconFileTypePdf } from "@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs";
import { __iconNode as IconFileTypeXls } from "@tabler/icons-react/dist/esm/icons/IconFileTypeXls.mjs";
import { __iconNode as IconFilter } from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import { __iconNode as IconFlagCheck } from "@tabler/icons-react/dist/esm/icons/IconFlagCheck.mjs";
import { __iconNode as IconGauge } from "@tabler/icons-react/dist/esm/icons/IconGauge.mjs";
import { __iconNode as IconHistory } from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import { __iconNode as IconHome } from "@tabler/icons-react/dist/esm/icons/IconHome.mjs";
import { __iconNode as IconInfoCircle } from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import { __iconNode as IconKey } from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import { __iconNode as IconListDetails } from "@tabler/icons-react/dist/esm/icons/IconListDetails.mjs";
import { __iconNode as IconLogout } from "@tabler/icons-react/dist/esm/icons/IconLogout.mjs";
import { __iconNode as IconMapPin } from "@tabler/icons-react/dist/esm/icons/IconMapPin.mjs";
import { __iconNode as IconMessage2 } from "@tabler/icons-react/dist/esm/icons/IconMessage2.mjs";
import { __iconNode as IconMinus } from "@tabler/icons-react/dist/esm/icons/IconMinus.mjs";
import { __iconNode as IconMountain } from "@tabler/icons-react/dist/esm/icons/IconMountain.mjs";
import { __iconNode as IconMovie } from "@tabler/icons-react/dist/esm/icons/IconMovie.mjs";
import { __iconNode as IconNotes } from "@tabler/icons-react/dist/esm/icons/IconNotes.mjs";
import { __iconNode as IconPackage } from "@tabler/icons-react/dist/esm/icons/IconPackage.mjs";
import { __iconNode as IconPaperclip } from "@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs";
import { __iconNode as IconPencil } from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import { __iconNode as IconPencilPlus } from "@tabler/icons-react/dist/esm/icons/IconPencilPlus.mjs";
import { __iconNode as IconPhoto } from "@tabler/icons-react/dist/esm/icons/IconPhoto.mjs";
import { __iconNode as IconPhotoPlus } from "@tabler/icons-react/dist/esm/icons/IconPhotoPlus.mjs";
import { __iconNode as IconPlaneDeparture } from "@tabler/icons-react/dist/esm/icons/IconPlaneDeparture.mjs";
import { __iconNode as IconPlus } from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { __iconNode as IconPrinter } from "@tabler/icons-react/dist/esm/icons/IconPrinter.mjs";
import { __iconNode as IconQrcode } from "@tabler/icons-react/dist/esm/icons/IconQrcode.mjs";
import { __iconNode as IconRefresh } from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
import { __iconNode as IconRestore } from "@tabler/icons-react/dist/esm/icons/IconRestore.mjs";
import { __iconNode as IconRoute } from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import { __iconNode as IconSearch } from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { __iconNode as IconTarget } from "@tabler/icons-react/dist/esm/icons/IconTarget.mjs";
import { __iconNode as IconTrash } from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { __iconNode as IconUpload } from "@tabler/icons-react/dist/esm/icons/IconUpload.mjs";
import { __iconNode as IconUser } from "@tabler/icons-react/dist/esm/icons/IconUser.mjs";
import { __iconNode as IconUsers } from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import { __iconNode as IconVideo } from "@tabler/icons-react/dist/esm/icons/IconVideo.mjs";
import { __iconNode as IconWeight } from "@tabler/icons-react/dist/esm/icons/IconWeight.mjs";
import { __iconNode as IconWifiOff } from "@tabler/icons-react/dist/esm/icons/IconWifiOff.mjs";
import { __iconNode as IconX } from "@tabler/icons-react/dist/esm/icons/IconX.mjs";

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
  dots: IconDots,
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
  sort: IconArrowsSort,
  start: IconPlaneDeparture,
  success: IconCircleCheck,
  transmitter: IconDeviceGamepad2,
  upload: IconUpload,
  user: IconUser,
  users: IconUsers,
  warning: IconAlertTriangle,
  weight: IconWeight,
} as const;

export type IconName = keyof typeof icons;
