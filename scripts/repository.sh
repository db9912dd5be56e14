#!/usr/bin/env bash
# Makes a signed apt source from packages, or adds packages to it. Any static web server can serve it.
#
# Usage: scripts/repository.sh FOLDER KEY URL [PACKAGE]...
#        scripts/repository.sh --new-key KEY NAME
#   FOLDER   the folder to serve; packages that it has stay there, so older versions can be installed again
#   KEY      the file with the secret OpenPGP key that signs. Whoever has it can install anything on all machines that use
#            the source: keep it, and a copy of it, where nobody else can read it
#   URL      where FOLDER will be served, as in https://registry.example.org/apt
#   PACKAGE  the packages to add; those in .build/package if there are none
#   --new-key  makes KEY, with which NAME signs; it must not exist yet
#
# Machines that use the source get FOLDER/findmybike.sources (deb822), which has the public key in it. Readers never see a
# source half made: indexes have the names of their hashes, and InRelease, which names them, is replaced last.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
refuse() { echo "repository.sh: $2" >&2; exit "$1"; }
[ $# -ge 3 ] && [[ $1 == --new-key || $1 != -* ]] || { sed -n '/^# Usage/,/^#$/{/^#$/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64; }
"$here/scripts/prepare.sh" repository
umask 022
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-repository.XXXXXX")
export GNUPGHOME=$work/keys
mkdir -m 700 "$GNUPGHOME"
trap 'gpgconf --kill all; rm -rf "$work"' EXIT

if [ "$1" = --new-key ]; then
    [ ! -e "$2" ] || refuse 73 "‘$2’ exists: a source keeps its key, or the machines that use it refuse it"
    gpg --batch --quiet --passphrase '' --quick-generate-key "$3" ed25519 sign never 2>/dev/null
    (umask 077 && gpg --batch --quiet --armor --export-secret-keys >"$2.new")
    mv "$2.new" "$2"
    exit
fi
folder=$1 key=$2 url=${3%/}
shift 3
[ -r "$key" ] || refuse 66 "cannot read the key ‘$key’: scripts/repository.sh --new-key makes one"
[[ $url =~ ^https?://[^[:space:]]+$ ]] || refuse 64 "‘$url’ is not an address: write it as https://registry.example.org/apt"
[ $# -gt 0 ] || set -- "$here"/.build/package/*.deb
for package in "$@"; do [ -r "$package" ] || refuse 66 "there is no package ‘$package’: scripts/package.sh makes packages"; done
gpg --batch --quiet --import "$key" || refuse 65 "‘$key’ has no OpenPGP key that gpg can read"
[ -n "$(gpg --batch --list-secret-keys --with-colons)" ] || refuse 65 "‘$key’ has only a public key"

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
    -o APT::FTPArchive::Release::Acquire-By-Hash=yes release .) >"$work/Release"
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
echo "The source in $folder is signed by $(gpg --batch --list-keys --with-colons | awk -F: '$1 == "fpr" {print $10; exit}')."
