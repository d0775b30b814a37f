// A link from coordinates to a map, in a new tab.
import { Icon } from "../../components/Icon";
import { flights } from "../../components/texts/flights";
import type { Coordinates } from "../../lib/gps";
import { layout } from "../../texts";
import { mapUrl } from "../../urls";
import styles from "./MapLink.module.css";

export function MapLink({ place }: { place: Coordinates }) {
  return (
    <a
      className={styles.link}
      href={mapUrl(place.latitude, place.longitude)}
      target="_blank"
      rel="noopener noreferrer"
    >
      <Icon name="map-pin" size={18} />
      {flights.onMap}
      <span className="visually-hidden"> {layout.newTab}</span>
    </a>
  );
}
