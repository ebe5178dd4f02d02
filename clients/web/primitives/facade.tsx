import { useText } from '../site/use-site.ts';
import './facade.css';

/** Windows of the upper and the ground floor: their left and upper edges. */
const WINDOWS = [
  [124, 96],
  [188, 96],
  [252, 96],
  [124, 160],
  [252, 160],
] as const;

/** A quiet drawing of a house where a home has no photo, with words that say so. It fills the space around it. */
export function Facade() {
  const { t } = useText();
  return (
    <div className="facade">
      <svg
        className="facade-drawing"
        viewBox="0 0 400 300"
        preserveAspectRatio="xMidYMax meet"
        aria-hidden="true"
      >
        <path className="facade-ground" d="M-800 226h2000v74H-800z" />
        <path className="facade-tree" d="M56 226v-40m0 0a26 26 0 1 1 .1 0M340 226v-52m0 0a32 32 0 1 1 .1 0" />
        <path className="facade-house" d="M252 84V34h20v50z" />
        <path className="facade-house" d="M100 226V88l100-52 100 52v138z" />
        {WINDOWS.map(([x, y]) => (
          <path key={`${x} ${y}`} className="facade-window" d={`M${x} ${y}h24v32h-24zm12 0v32m-12-16h24`} />
        ))}
        <path className="facade-door" d="M184 226v-66h32v66zM208 194v4" />
      </svg>
      <p className="facade-words">{t('card.noPicture')}</p>
    </div>
  );
}
