#include "device/compiler/program_cache.hpp"

#include "device/wire/bytes.hpp"

namespace warpbook::device {
namespace {

constexpr FileCache::Form kForm{"warpbook program", 1, "compiled programs"};

}  // namespace

ProgramCache::ProgramCache(std::filesystem::path folder, std::uint64_t most_bytes)
    : files_(std::move(folder), most_bytes, kForm) {}

std::optional<Program> ProgramCache::find(std::string_view key) {
  const auto bytes = files_.find(key);
  if (!bytes) return std::nullopt;
  auto program = from_bytes<Program>(*bytes);
  if (!program) {
    files_.drop(key);
    return std::nullopt;
  }
  program->cached = true;
  return std::move(*program);
}

void ProgramCache::store(std::string_view key, const Program& program) {
  files_.store(key, to_bytes(program));
}

}  // namespace warpbook::device
