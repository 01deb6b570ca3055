#include "device/launch_record.hpp"

namespace warpbook::device {

AccessInstructions& AccessInstructions::operator+=(const AccessInstructions& other) {
  global_loads += other.global_loads;
  global_stores += other.global_stores;
  shared_loads += other.shared_loads;
  shared_stores += other.shared_stores;
  return *this;
}

AccessInstructions& AccessInstructions::operator*=(std::uint32_t copies) {
  global_loads *= copies;
  global_stores *= copies;
  shared_loads *= copies;
  shared_stores *= copies;
  return *this;
}

Counters& Counters::operator+=(const Counters& other) {
  // A sum, field by field: for_each_counter is the one list of the fields, so a new counter cannot
  // be forgotten here.
  std::array<std::uint64_t, sizeof(Counters) / sizeof(std::uint64_t)> addends{};
  std::size_t next = 0;
  for_each_counter(other, [&](std::string_view, std::uint64_t value) { addends[next++] = value; });
  next = 0;
  for_each_counter(*this,
                   [&](std::string_view, std::uint64_t& value) { value += addends[next++]; });
  return *this;
}

}  // namespace warpbook::device
