#include "device/worker/wire.hpp"

namespace warpbook::device {

void put(WireWriter& w, const Error& error) {
  w.put(error.code).put(std::uint64_t{error.arguments.size()});
  for (const auto& [name, value] : error.arguments) w.put(name).put(value);
  w.put(error.place.file).put(error.place.line).put(error.place.column);
}

void get(WireReader& r, Error& error) {
  const auto code = r.get<std::uint16_t>();
  if (code >= all_error_codes().size()) r.fail();
  error.code = r.ok() ? static_cast<ErrorCode>(code) : ErrorCode::worker_protocol;
  error.arguments.resize(r.get_count(16));
  for (auto& [name, value] : error.arguments) {
    name = r.get_text();
    value = r.get_text();
  }
  error.place.file = r.get_text();
  error.place.line = r.get<std::uint32_t>();
  error.place.column = r.get<std::uint32_t>();
}

}  // namespace warpbook::device
