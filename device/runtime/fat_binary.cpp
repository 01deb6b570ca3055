#include "device/runtime/fat_binary.hpp"

#include <lz4.h>
#include <zstd.h>

#include <cstdint>
#include <cstring>

namespace warpbook::device::runtime {
namespace {

// The form has no document. What is here was read off what nvcc of CUDA 13.0 writes with each --compress-mode.
struct Header {
  std::uint32_t magic = 0;
  std::uint16_t version = 0, header_bytes = 0;
  std::uint64_t bytes = 0;  ///< behind the header
};
constexpr std::uint32_t kMagic = 0xba55ed50;

struct Entry {
  std::uint16_t kind = 0, attributes = 0;
  std::uint32_t header_bytes = 0;
  std::uint64_t bytes = 0;             ///< behind the header, filled up to a multiple of 8
  std::uint32_t compressed_bytes = 0;  ///< 0: not compressed
  std::uint32_t options = 0;
  std::uint16_t minor = 0, major = 0;
  std::uint32_t architecture = 0, name_offset = 0, name_bytes = 0;
  std::uint64_t flags = 0, unused = 0;
  std::uint64_t plain_bytes = 0;
};
static_assert(sizeof(Entry) == 64);
constexpr std::uint16_t kPtx = 1;
constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000;
constexpr std::uint64_t kMostPlainBytes = 1u << 30;

tl::unexpected<Error> damaged(const char* why) {
  return failure(ErrorCode::ptx_limit, {{"why", Message{why, {}, {}}}});
}

Expected<std::string> plain(std::string_view body, const Entry& entry) {
  if (entry.compressed_bytes == 0) {
    // The text ends at its zero.
    return std::string(body.substr(0, body.find('\0')));
  }
  if (entry.compressed_bytes > body.size() || entry.plain_bytes > kMostPlainBytes)
    return damaged("phrase.why.fat-cut");
  std::string text(entry.plain_bytes, '\0');
  std::int64_t made = -1;
  if ((entry.flags & kZstd) != 0) {
    const std::size_t got =
        ZSTD_decompress(text.data(), text.size(), body.data(), entry.compressed_bytes);
    if (ZSTD_isError(got) == 0) made = static_cast<std::int64_t>(got);
  } else if ((entry.flags & kLz4) != 0) {
    made = LZ4_decompress_safe(body.data(), text.data(), static_cast<int>(entry.compressed_bytes),
                               static_cast<int>(text.size()));
  } else {
    return damaged("phrase.why.fat-compression");
  }
  if (made < 0) return damaged("phrase.why.fat-cut");
  text.resize(static_cast<std::size_t>(made));
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

}  // namespace

bool is_fat_binary(std::string_view bytes) {
  std::uint32_t magic = 0;
  if (bytes.size() < sizeof magic) return false;
  std::memcpy(&magic, bytes.data(), sizeof magic);
  return magic == kMagic;
}

Expected<FatBinary> read_fat_binary(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof header) return damaged("phrase.why.fat-cut");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kMagic || header.header_bytes < sizeof header)
    return damaged("phrase.why.fat-kind");
  if (header.header_bytes > bytes.size() || header.bytes > bytes.size() - header.header_bytes)
    return damaged("phrase.why.fat-cut");
  FatBinary binary;
  std::string_view rest = bytes.substr(header.header_bytes, header.bytes);
  while (rest.size() >= sizeof(Entry)) {
    Entry entry;
    std::memcpy(&entry, rest.data(), sizeof entry);
    if (entry.header_bytes < sizeof entry || entry.header_bytes > rest.size() ||
        entry.bytes > rest.size() - entry.header_bytes) {
      return damaged("phrase.why.fat-cut");
    }
    if (entry.kind == kPtx) {
      auto text = plain(rest.substr(entry.header_bytes, entry.bytes), entry);
      if (!text) return tl::unexpected(text.error());
      binary.ptx.push_back({static_cast<int>(entry.architecture), std::move(*text)});
    } else {
      binary.machine_code = true;
    }
    rest.remove_prefix(entry.header_bytes + entry.bytes);
  }
  return binary;
}

const FatPtx* best_for(const FatBinary& binary, int compute_capability) {
  const FatPtx* best = nullptr;
  for (const FatPtx& ptx : binary.ptx) {
    if (ptx.architecture <= compute_capability &&
        (!best || ptx.architecture > best->architecture)) {
      best = &ptx;
    }
  }
  return best;
}

}  // namespace warpbook::device::runtime
