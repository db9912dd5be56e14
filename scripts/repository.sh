#!/usr/bin/env bash
# Makes a signed apt source from packages, or adds packages to it. Any static web server can serve it.
#
# Usage: scripts/repository.sh FOLDER KEY URL [PACKAGE]...
#        scripts/repository.sh --renew FOLDER KEY URL
#        scripts/repository.sh --new-key KEY NAME
#   FOLDER   the folder to serve; packages that it has stay there, so older versions can be installed again
#   KEY      the file with the secret OpenPGP key that signs. Whoever has it can install anything on all machines that use
#            the source: keep it, and a copy of it, where nobody else can read it
#   URL      where FOLDER will be served, as in https://registry.example.org/apt
#   PACKAGE  the packages to add; those in .build/package if there are none
#   --renew    adds nothing, and signs again. Machines refuse a source that was signed more than 180 days ago: otherwise
#              somebody on the way could show them an old source for ever, and so keep security updates from them
#   --new-key  makes KEY, with which NAME signs; it must not exist yet
#
# Machines that use the source get FOLDER/findmybike.sources (deb822), which has the public key in it, and then the package
# findmybike-archive-keyring, which replaces it: a later version of the package can bring another key. To change the key,
# make KEY.next with --new-key and run this as usual: the package has both keys then. After some weeks, when the machines
# have upgraded, move KEY.next to KEY.
#
# Readers never see a source half made: indexes have the names of their hashes, and InRelease, which names them, is replaced
# last.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
refuse() { echo "repository.sh: $2" >&2; exit "$1"; }
renews=''
[ "${1-}" != --renew ] || { renews=yes; shift; }
[ $# -ge 3 ] && [[ $1 != -* || $1 == --new-key ]] && [[ -z $renews || $# -eq 3 && $1 != -* ]] || { sed -n '/^# Usage/,/^#$/{/^#$/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64; }
"$here/scripts/prepare.sh" repository
umask 022
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-repository.XXXXXX")
export GNUPGHOME=$work/keys
mkdir -m 700 "$GNUPGHOME"
trap 'gpgconf --kill all; rm -rf "$work"' EXIT

if [ "$1" = --new-key ]; then
    [ ! -e "$2" ] || refuse 73 "‘$2’ exists: to change the key of a source, make ‘$2.next’"
    gpg --batch --quiet --passphrase '' --quick-generate-key "$3" ed25519 sign never 2>/dev/null
    (umask 077 && gpg --batch --quiet --armor --export-secret-keys >"$2.new")
    mv "$2.new" "$2"
    exit
fi
folder=$1 key=$2 url=${3%/}
shift 3
[ -r "$key" ] || refuse 66 "cannot read the key ‘$key’: scripts/repository.sh --new-key makes one"
[[ $url =~ ^https?://[^[:space:]]+$ ]] || refuse 64 "‘$url’ is not an address: write it as https://registry.example.org/apt"
[ $# -gt 0 ] || [ -n "$renews" ] || set -- "$here"/.build/package/*.deb
for package in "$@"; do [ -r "$package" ] || refuse 66 "there is no package ‘$package’: scripts/package.sh makes packages"; done
gpg --batch --quiet --import "$key" || refuse 65 "‘$key’ has no OpenPGP key that gpg can read"
[ -n "$(gpg --batch --list-secret-keys --with-colons)" ] || refuse 65 "‘$key’ has only a public key"
# Only the public half of the next key: nothing is signed with it yet.
if [ -e "$key.next" ]; then
    mkdir -m 700 "$work/next"
    gpg --homedir "$work/next" --batch --quiet --import "$key.next" || refuse 65 "‘$key.next’ has no key that gpg can read"
    gpg --homedir "$work/next" --batch --export >"$work/next.pgp"
    gpgconf --homedir "$work/next" --kill all
    gpg --batch --quiet --import "$work/next.pgp"
fi

# Puts a file in its place in one step, also from another file system: FILE PLACE
place() {
    cp "$1" "$2.new"
    mv "$2.new" "$2"
}

# A version that machines may have installed must not change.
mkdir -p "$folder/pool"
for package in "$@"; do
    place=$folder/pool/$(dpkg-deb --show --showformat '${Package}_${Version}_${Architecture}.deb' "$package")
    if [ -e "$place" ]; then
        cmp -s "$package" "$place" || refuse 65 "$place has the same version, but differs: raise the version"
    else
        place "$package" "$place"
    fi
done

# The package that brings the keys, made again only if they have changed.
keyring=findmybike-archive-keyring
gpg --batch --export >"$work/keys.pgp"
latest=$(find "$folder/pool" -name "${keyring}_*_all.deb" | sort -V | tail -n 1)
if [ -z "$latest" ] || ! dpkg-deb --fsys-tarfile "$latest" | tar -xO "./usr/share/keyrings/$keyring.pgp" | cmp -s - "$work/keys.pgp"; then
    install -D -m 644 "$work/keys.pgp" "$work/$keyring/usr/share/keyrings/$keyring.pgp"
    install -D -m 755 "$here/scripts/package/$keyring/postinst" "$work/$keyring/DEBIAN/postinst"
    sed "s/\${version}/$(date -u +%Y%m%d.%H%M%S)/" "$here/scripts/package/$keyring/control" >"$work/$keyring/DEBIAN/control"
    dpkg-deb --root-owner-group --build "$work/$keyring" "$work" >/dev/null
    for package in "$work/${keyring}"_*.deb; do place "$package" "$folder/pool/${package##*/}"; done
fi

suite=$folder/dists/stable
for architecture in amd64 arm64; do
    index=main/binary-$architecture
    mkdir -p "$work/dists/$index" "$suite/$index/by-hash"/SHA{256,512}
    (cd "$folder" && apt-ftparchive --arch "$architecture" packages pool) >"$work/dists/$index/Packages"
    xz --keep "$work/dists/$index/Packages"
    gzip -n9 --keep "$work/dists/$index/Packages"
    # apt asks by the strongest hash that the release has.
    for file in "$work/dists/$index"/Packages*; do
        for hash in 256 512; do
            place "$file" "$suite/$index/by-hash/SHA$hash/$("sha${hash}sum" "$file" | cut -d' ' -f1)"
        done
    done
done
(cd "$work/dists" && apt-ftparchive -o APT::FTPArchive::Release::Origin=FindMyBike -o APT::FTPArchive::Release::Label=FindMyBike \
    -o APT::FTPArchive::Release::Suite=stable -o APT::FTPArchive::Release::Codename=stable \
    -o APT::FTPArchive::Release::Architectures="amd64 arm64" -o APT::FTPArchive::Release::Components=main \
    -o APT::FTPArchive::Release::Acquire-By-Hash=yes -o APT::FTPArchive::Release::ValidTime=$((180 * 86400)) release .) >"$work/Release"
gpg --batch --quiet --digest-algo SHA512 --clearsign --output "$work/InRelease" "$work/Release"
gpg --batch --quiet --digest-algo SHA512 --armor --detach-sign --output "$work/Release.gpg" "$work/Release"

# The public key, in the field of the file that names it: a line of spaces is written as “ .”.
{
    printf 'Types: deb\nURIs: %s\nSuites: stable\nComponents: main\nSigned-By:\n' "$url"
    gpg --batch --armor --export | sed 's/^$/./; s/^/ /'
} >"$work/findmybike.sources"

for architecture in amd64 arm64; do
    index=main/binary-$architecture
    for file in "$work/dists/$index"/Packages*; do place "$file" "$suite/$index/${file##*/}"; done
done
place "$work/findmybike.sources" "$folder/findmybike.sources"
place "$work/Release" "$suite/Release"
place "$work/Release.gpg" "$suite/Release.gpg"
place "$work/InRelease" "$suite/InRelease"
# Whoever has read the last InRelease still gets its indexes. Those of this one are new.
find "$suite"/main/binary-*/by-hash -type f -mtime +30 -delete
echo "The source in $folder is signed by $(gpg --batch --list-secret-keys --with-colons | awk -F: '$1 == "fpr" {print $10; exit}')."
echo "Sign it again before $(sed -n 's/^Valid-Until: //p' "$work/Release"): scripts/repository.sh --renew $folder $key $url"
