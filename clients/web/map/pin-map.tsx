import { useEffect, useRef } from 'react';
import { Button } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { useText } from '../site/use-site.ts';
import type { Box } from './map-area.ts';
import { MapView } from './map-view.tsx';
import { useMap } from './use-map.ts';
import './pin-map.css';

interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

interface PinMapProps {
  /** What is shown at first; null for the site's place. */
  readonly around: Box | null;
  readonly onPosition: (position: Position) => void;
}

/** Some centimeters; more digits would be untrue. */
const DIGITS = 6;

/** Places a pin: it stands in the middle, and the map is moved under it by pointer, touch or arrow keys. */
export default function PinMap({ around, onPosition }: PinMapProps) {
  const { t } = useText();
  const element = useRef<HTMLDivElement>(null);
  const { control, failed } = useMap(element);
  const first = useRef(around);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  useEffect(() => {
    if (control !== null && first.current !== null) control.fit(first.current);
  }, [control]);
  if (failed) return <p>{t('map.failed')}</p>;
  const take = (): void => {
    if (control === null) return;
    const { lat, lng } = control.view.getCenter().wrap();
    onPosition({ latitude: Number(lat.toFixed(DIGITS)), longitude: Number(lng.toFixed(DIGITS)) });
  };
  return (
    <div className="stack" ref={panel}>
      <div className="pin-map">
        <MapView element={element} />
        <span className="pin-map-pin">
          <Icon name="pin" filled />
        </span>
      </div>
      <p className="muted">{t('studio.position.help')}</p>
      <div>
        <Button kind="primary" isDisabled={control === null} onPress={take}>
          {t('studio.position.take')}
        </Button>
      </div>
    </div>
  );
}
