import { type ReactNode, useEffect, useRef, useState } from 'react';
import { areaOfBox, boxOf, type Corners } from '../../map/map-area.ts';
import { type MapControl, tokenOf } from '../../map/use-map.ts';
import { Button } from '../../primitives/button.tsx';
import { Choices } from '../../primitives/choices.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { useText } from '../../site/use-site.ts';

type Drawing = 'polygon' | 'freehand';

interface DrawToolsProps {
  readonly control: MapControl;
  readonly area: Corners | undefined;
  readonly isDrawing: boolean;
  readonly onDrawing: (isDrawing: boolean) => void;
  /** What is to be searched; undefined for everything. */
  readonly onArea: (area: Corners | undefined) => void;
}

/**
 * What draws an area on the map: corner by corner, in one stroke, or without a pointer as the part of the map that is
 * shown.
 */
export function DrawTools(props: DrawToolsProps) {
  const { control, area, isDrawing, onDrawing, onArea } = props;
  const { t } = useText();
  const tools = useRef<HTMLDivElement>(null);
  const shown = (
    <Button kind="quiet" onPress={() => onArea(areaOfBox(boxOf(control.view.getBounds())))}>
      {t('map.searchShown')}
    </Button>
  );
  useFocusOnReturn(tools, isDrawing);
  return (
    <div ref={tools} className="search-map-tools">
      {isDrawing ? (
        <DrawingPanel {...props}>{shown}</DrawingPanel>
      ) : (
        <>
          <Button kind="quiet" onPress={() => onDrawing(true)}>
            <Icon name="draw" />
            {t('map.draw')}
          </Button>
          {area === undefined ? null : (
            <>
              {shown}
              <Button kind="quiet" onPress={() => onArea(undefined)}>
                {t('map.removeArea')}
              </Button>
            </>
          )}
        </>
      )}
    </div>
  );
}

/** Whoever leaves the panel is back at the button that opened it. */
function useFocusOnReturn(tools: React.RefObject<HTMLElement | null>, isDrawing: boolean): void {
  const wasDrawing = useRef(isDrawing);
  useEffect(() => {
    if (wasDrawing.current && !isDrawing)
      tools.current?.querySelector('button')?.focus({ preventScroll: true });
    wasDrawing.current = isDrawing;
  }, [tools, isDrawing]);
}

function DrawingPanel({
  control,
  onDrawing,
  onArea,
  children,
}: DrawToolsProps & { readonly children: ReactNode }) {
  const { t } = useText();
  // A finger draws a line; a mouse sets corners.
  const [drawing, setDrawing] = useState<Drawing>(() =>
    matchMedia('(pointer: coarse)').matches ? 'freehand' : 'polygon',
  );
  const hint = useDrawing({ control, drawing, onArea, onLost: () => onDrawing(false) });
  return (
    <>
      <Choices
        legend={t('map.howToDraw')}
        isLegendHidden
        isFocused
        name="drawing"
        value={drawing}
        options={(['polygon', 'freehand'] as const).map((value) => ({
          value,
          label: t(`map.draw.${value}`),
        }))}
        onChange={setDrawing}
      />
      <p role="status">{t(`map.hint.${hint}`)}</p>
      <div className="row">
        {children}
        <Button kind="quiet" onPress={() => onDrawing(false)}>
          {t('common.cancel')}
        </Button>
      </div>
    </>
  );
}

interface DrawingOptions {
  readonly control: MapControl;
  readonly drawing: Drawing;
  readonly onArea: (area: Corners) => void;
  readonly onLost: () => void;
}

/** Loads what draws, and lets a person draw until the component goes. @returns what to say about it */
function useDrawing({ control, drawing, onArea, onLost }: DrawingOptions) {
  const [hint, setHint] = useState<'loading' | 'failed' | 'crossed' | Drawing>('loading');
  const latest = useRef({ onArea, onLost });
  latest.current = { onArea, onLost };
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isLeft = false;
    setHint('loading');
    const start = async (): Promise<void> => {
      const { startDrawing } = await import('../../map/draw-area.ts');
      await isStyled(control);
      if (isLeft) return;
      stop = startDrawing(control.view, {
        drawing,
        color: tokenOf('--primary') as `#${string}`,
        onDrawn: (area) => latest.current.onArea(area),
        onCrossed: () => setHint('crossed'),
        onLost: () => latest.current.onLost(),
      });
      setHint(drawing);
    };
    start().catch((error: unknown) => {
      setHint('failed');
      reportError(error);
    });
    return () => {
      isLeft = true;
      stop?.();
    };
  }, [control, drawing]);
  return hint;
}

/** Nothing can be drawn on a map before its first style. */
async function isStyled({ view }: MapControl): Promise<void> {
  while (view.getStyle() === undefined) await view.once('styledata');
}
