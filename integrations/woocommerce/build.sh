#!/bin/sh
# Makes the plug-in as it is installed: a folder with the library inside, and a zip of it where `zip` is there.
#   integrations/woocommerce/build.sh [folder]      default: dist, beside this file
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-"$here/dist"}
plugin="$out/mfuko-for-woocommerce"
rm -rf "$plugin"
mkdir -p "$plugin/lib/mfuko"
cp -R "$here/mfuko-for-woocommerce.php" "$here/uninstall.php" "$here/readme.txt" "$here/includes" "$here/assets" "$plugin/"
cp -R "$here/../../sdk/php/autoload.php" "$here/../../sdk/php/src" "$plugin/lib/mfuko/"
cp "$here/../../LICENSE" "$plugin/"
if command -v zip >/dev/null; then
  (cd "$out" && rm -f mfuko-for-woocommerce.zip && zip -qr mfuko-for-woocommerce.zip mfuko-for-woocommerce)
fi
echo "$plugin"
