#include "device/compiler/precompiled.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpbook::device {
namespace {

constexpr std::size_t kMostKept = 3;    // of about 100 MB each
constexpr std::size_t kMostKnown = 64;  // asked for once, or failed: a few words each

}  // namespace

PrecompiledHeaders::Answer PrecompiledHeaders::ask(const PrecompiledKey& key) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
  if (found == entries_.end()) {
    entries_.push_front({key, Stage::asked_once, UniqueFd()});
    if (entries_.size() > kMostKnown && entries_.back().stage != Stage::in_the_making)
      entries_.pop_back();
    return Answer{};
  }
  entries_.splice(entries_.begin(), entries_, found);
  Entry& entry = entries_.front();
  if (entry.stage == Stage::asked_once) {
    entry.stage = Stage::in_the_making;
    return {UniqueFd(), true};
  }
  return {entry.stage == Stage::there ? duplicate(entry.memory) : UniqueFd(), false};
}

void PrecompiledHeaders::made(const PrecompiledKey& key, UniqueFd memory) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
  if (found == entries_.end()) return;
  found->stage = memory ? Stage::there : Stage::failed;
  found->memory = std::move(memory);
  drop_the_oldest();
}

void PrecompiledHeaders::drop_the_oldest() {
  std::size_t kept = 0;
  for (Entry& entry : entries_) {
    if (entry.stage != Stage::there || ++kept <= kMostKept) continue;
    entry.memory.reset();
    entry.stage = Stage::asked_once;
  }
}

}  // namespace warpbook::device
