import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, type MouseEvent, Suspense, useEffect, useRef, useState } from 'react';
import type { DetailImage } from '../listing-data.ts';

const Lightbox = lazy(() => import('./lightbox.tsx'));

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The id of the picture that is shown as large as the window. */
    largePicture?: string;
  }
}

interface LargeView {
  /** The id of the picture with which it was opened. */
  readonly shown: string | undefined;
  /** What a link to a picture does on a click. */
  open(imageId: string): (event: MouseEvent) => void;
  close(): void;
}

/** The large view is an entry of the history, so that the way back closes it and leaves the page where it is. */
export function useLargeView(): LargeView {
  const navigate = useNavigate();
  const { history } = useRouter();
  const shown = useLocation({ select: ({ state }) => state.largePicture });
  // After a reload the entry is still there, but the document was drawn without the view.
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  const isClosing = useRef(false);
  useEffect(() => {
    isClosing.current = shown === undefined;
  }, [shown]);
  return {
    shown: isDrawn ? shown : undefined,
    open: (imageId) => (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const state = (before: object) => ({ ...before, largePicture: imageId });
      void navigate({ to: '.', search: true, hash: true, state, resetScroll: false });
    },
    close() {
      if (isClosing.current) return;
      isClosing.current = true;
      history.back();
    },
  };
}

/** The pictures of a page as large as the window, where the person has opened one. */
export function LargeView({
  view,
  pictures,
}: {
  readonly view: LargeView;
  readonly pictures: readonly DetailImage[];
}) {
  const first = pictures.findIndex(({ imageId }) => imageId === view.shown);
  return first < 0 ? null : (
    <Suspense>
      <Lightbox pictures={pictures} first={first} onClose={view.close} />
    </Suspense>
  );
}
