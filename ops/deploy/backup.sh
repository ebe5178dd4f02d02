#!/bin/sh
# Dumps the database into BACKUP_DIRECTORY, checks that the dump can be read, removes dumps older than BACKUP_DAYS, and
# touches LAST_BACKUP_FILE (docs/runbooks/backup.md). Needs pg_dump of the server's version or newer. A dump that was not
# completed keeps the name `.part` and is removed by the next run.
set -eu
: "${DATABASE_OWNER_URL:?set DATABASE_OWNER_URL}"
: "${BACKUP_DIRECTORY:?set BACKUP_DIRECTORY}"
: "${BACKUP_DAYS:?set BACKUP_DAYS}"
umask 077
rm -f "$BACKUP_DIRECTORY"/proscenium-*.part
dump="$BACKUP_DIRECTORY/proscenium-$(date -u +%Y%m%dT%H%M%SZ).dump"
pg_dump --format=custom --no-owner --no-acl --file="$dump.part" "$DATABASE_OWNER_URL"
pg_restore --list "$dump.part" >/dev/null
sync "$dump.part"
mv "$dump.part" "$dump"
find "$BACKUP_DIRECTORY" -name 'proscenium-*.dump' -mtime "+$BACKUP_DAYS" -delete
if [ -n "${LAST_BACKUP_FILE:-}" ]; then touch "$LAST_BACKUP_FILE"; fi
echo "$dump"
