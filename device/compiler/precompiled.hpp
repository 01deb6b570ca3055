// The precompiled headers that the zygote keeps in memory.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "device/unique_fd.hpp"

namespace warpbook::device {

/// A precompiled header is good only for the options and headers that it was made with.
struct PrecompiledKey {
  std::vector<std::string> options;
  std::vector<std::string> headers;
  friend bool operator==(const PrecompiledKey&, const PrecompiledKey&) = default;
};

class PrecompiledHeaders {
 public:
  struct Answer {
    UniqueFd memory;            ///< a memfd; invalid: there is none
    bool worth_making = false;  ///< asked for before, and no child is making it
  };
  /// A first compile is not slowed by making a header that may never be needed again; the second one with the same key
  /// finds it worth making.
  Answer ask(const PrecompiledKey& key);
  /// Ends a making. An invalid descriptor says that it failed; then it is not tried again.
  void made(const PrecompiledKey& key, UniqueFd memory);

 private:
  enum class Stage : std::uint8_t { asked_once, in_the_making, there, failed };
  struct Entry {
    PrecompiledKey key;
    Stage stage = Stage::asked_once;
    UniqueFd memory;
  };
  void drop_the_oldest();

  std::list<Entry> entries_;  ///< the latest asked for in front
};

}  // namespace warpbook::device
