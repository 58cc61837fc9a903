# Sourced: installs what is missing on a machine that lets us.

# apt_install PACKAGE…: installs Debian packages, where there is apt-get and we are root; else fails quietly.
apt_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo "installing $*" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2 && apt-get install -y -qq --no-install-recommends "$@" >&2
}

# venv FOLDER REQUIREMENTS: a virtual environment with just these packages, made again only when the list changes.
venv() {
  local folder=$1 requirements=$2
  cmp -s "$requirements" "$folder/installed.txt" && return 0
  rm -rf "$folder"
  if ! python3 -m venv "$folder" 2>/dev/null; then
    rm -rf "$folder"
    apt_install python3 python3-venv || { echo "Python 3 with its venv module is needed" >&2; return 1; }
    python3 -m venv "$folder" || return 1
  fi
  "$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements" >&2 || return 1
  cp "$requirements" "$folder/installed.txt"
}
