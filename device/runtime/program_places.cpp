#include "device/runtime/program_places.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace warpbook::device::runtime {
namespace {

namespace fs = std::filesystem;

// Programs and libraries; what the loader and the C library look up; what threads ask about processors. /etc is not here as a
// whole, because it holds keys and passwords of the computer's services.
constexpr std::array kReadable{
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/timezone",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
};
// What the C library looks up for a program that asks who it is. Compilers quote what they read, and do not ask.
constexpr std::array kAccounts{"/etc/group", "/etc/passwd"};
constexpr std::array kDevices{"/dev/full", "/dev/null",    "/dev/random",
                              "/dev/tty",  "/dev/urandom", "/dev/zero"};

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto [rest, ignored] =
      std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return rest == folder.end();
}

bool covers(const Place& outer, const Place& inner) {
  if (outer.use == PlaceUse::device || inner.use == PlaceUse::device) return false;
  return (outer.use == inner.use || outer.use == PlaceUse::write) &&
         is_inside(inner.path, outer.path);
}

void add(std::vector<Place>& places, const Place& place) {
  const auto covered_by = [&](const Place& other) { return covers(other, place); };
  if (std::ranges::any_of(places, covered_by)) return;
  std::erase_if(places, [&](const Place& other) { return covers(place, other); });
  places.push_back(place);
}

void add_real(std::vector<Place>& places, const fs::path& path, PlaceUse use) {
  std::error_code absent;
  const fs::path real = fs::canonical(path, absent);
  if (!absent) add(places, {real.string(), use});
}

}  // namespace

std::vector<Place> places_of_program(const std::vector<fs::path>& readable,
                                     const std::vector<fs::path>& writable) {
  std::vector<Place> places = places_of_tool(readable, writable);
  std::error_code ignored;
  for (const char* path : kAccounts) {
    if (fs::exists(path, ignored)) add(places, {path, PlaceUse::read});
  }
  return places;
}

std::vector<Place> places_of_tool(const std::vector<fs::path>& readable,
                                  const std::vector<fs::path>& writable) {
  std::vector<Place> places;
  std::error_code ignored;
  for (const char* path : kReadable) {
    if (fs::exists(path, ignored)) add(places, {path, PlaceUse::read});
  }
  for (const char* path : kDevices) {
    if (fs::exists(path, ignored)) add(places, {path, PlaceUse::device});
  }
  for (const fs::path& folder : writable) add_real(places, folder, PlaceUse::write);
  for (const fs::path& path : readable) add_real(places, path, PlaceUse::read);
  return places;
}

bool holds_home(const fs::path& folder) {
  if (folder == "/") return true;
  const char* const home = std::getenv("HOME");
  std::error_code absent;
  const fs::path real = home ? fs::canonical(home, absent) : fs::path();
  return !real.empty() && !absent && is_inside(real, folder);
}

std::vector<fs::path> folders_in(std::string_view list) {
  std::vector<fs::path> folders;
  while (!list.empty()) {
    const std::string_view folder = list.substr(0, list.find(':'));
    if (folder.starts_with('/')) folders.emplace_back(folder);
    list.remove_prefix(std::min(list.size(), folder.size() + 1));
  }
  return folders;
}

}  // namespace warpbook::device::runtime
