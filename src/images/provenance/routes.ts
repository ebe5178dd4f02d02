import type { Pool } from 'pg';
import { hasProvenance } from '../../../persistence/images/provenance.ts';
import { found } from '../../errors/found.ts';
import { FOR_EVERY_SITE } from '../../http/complete-answer.ts';
import type { Route } from '../../http/message.ts';
import { provenanceUrl } from '../../wire/images.ts';
import { uuid } from '../../wire/text.ts';
import { drawCode } from './code-drawing.ts';

/** The address never changes, but the drawing may. */
const CACHED = 'public, max-age=86400';

/**
 * `GET /api/provenance/{imageId}/qr.svg`: the address of a picture's provenance page as a QR code, for the page
 * itself and for print (docs/contract.md#provenance).
 */
export function provenanceRoutes({ pool, publicBaseUrl }: { pool: Pool; publicBaseUrl: string }): Route[] {
  return [
    {
      methods: ['GET'],
      path: '/api/provenance/:imageId/qr.svg',
      bodyLimit: 1024,
      handler: async ({ params }) => {
        const stagedImageId = found(uuid.safeParse(params.imageId).data);
        found((await hasProvenance(pool, stagedImageId)) || null);
        const address = provenanceUrl(publicBaseUrl, stagedImageId);
        return {
          status: 200,
          headers: [
            FOR_EVERY_SITE,
            ['content-type', 'image/svg+xml'],
            ['cache-control', CACHED],
            ['content-security-policy', "default-src 'none'"],
          ],
          body: drawCode(address, address),
        };
      },
    },
  ];
}
