#include "device/runtime/fat_binary.hpp"

#include <lz4.h>
#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/keyed.hpp"

namespace warpbook::tests::fat_binary_test {

using namespace device::runtime;

namespace {

enum class Packing : std::uint8_t { none, lz4, zstd };

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

constexpr std::uint16_t kPtx = 1, kMachineCode = 2;
// Where fields lie, for tests that spoil them.
constexpr std::size_t kHeader = 16, kBytesOfAll = 8, kEntryHeader = kHeader + 4,
                      kEntryBytes = kHeader + 8, kCompressedBytes = kHeader + 16,
                      kFlags = kHeader + 40, kPlainBytes = kHeader + 56;

std::string packed(const std::string& text, Packing packing) {
  std::string bytes(2 * text.size() + 100, '\0');
  if (packing == Packing::lz4) {
    bytes.resize(static_cast<std::size_t>(LZ4_compress_default(
        text.data(), bytes.data(), static_cast<int>(text.size()), static_cast<int>(bytes.size()))));
  } else if (packing == Packing::zstd) {
    bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 1));
  } else {
    bytes = text;
  }
  return bytes;
}

std::string entry(std::uint16_t kind, std::uint32_t architecture, const std::string& text,
                  Packing packing = Packing::none) {
  std::string body = packed(text, packing);
  const auto compressed = static_cast<std::uint32_t>(packing == Packing::none ? 0 : body.size());
  body.resize((body.size() / 8 + 1) * 8, '\0');
  std::string bytes;
  put<std::uint16_t>(bytes, kind);
  put<std::uint16_t>(bytes, 0x101);
  put<std::uint32_t>(bytes, 64);
  put<std::uint64_t>(bytes, body.size());
  put<std::uint32_t>(bytes, compressed);
  put<std::uint32_t>(bytes, 0);
  put<std::uint32_t>(bytes, 0);
  put<std::uint32_t>(bytes, architecture);
  put<std::uint64_t>(bytes, 0);
  put<std::uint64_t>(bytes, packing == Packing::none  ? 0
                            : packing == Packing::lz4 ? 0x2000
                                                      : 0x8000);
  put<std::uint64_t>(bytes, 0);
  put<std::uint64_t>(bytes, packing == Packing::none ? 0 : text.size());
  return bytes + body;
}

std::string binary_of(const std::string& entries) {
  std::string bytes;
  put<std::uint32_t>(bytes, 0xba55ed50);
  put<std::uint16_t>(bytes, 1);
  put<std::uint16_t>(bytes, 16);
  put<std::uint64_t>(bytes, entries.size());
  return bytes + entries;
}

template <class T>
std::string with(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

std::string error_of(const std::string& bytes) {
  const auto read = read_fat_binary(bytes);
  return read ? "" : keyed(read.error());
}

std::string ptx_of(int lines) {
  std::string text = ".version 9.0\n.target sm_90\n";
  for (int i = 0; i < lines; ++i) text += "// line " + std::to_string(i % 10) + "\n";
  return text;
}

const std::string kCut = "ptx_limit(why=phrase.why.fat-cut)";
const std::string kOtherKind = "ptx_limit(why=phrase.why.fat-kind)";
const std::string kOtherCompression = "ptx_limit(why=phrase.why.fat-compression)";

}  // namespace

TEST_CASE("The PTX of a fat binary is read however it is compressed") {
  const auto packing = GENERATE(Packing::none, Packing::lz4, Packing::zstd);
  CAPTURE(static_cast<int>(packing));
  const auto read = read_fat_binary(binary_of(entry(kPtx, 90, ptx_of(500), packing)));
  REQUIRE(read);
  REQUIRE(read->ptx.size() == 1);
  CHECK(read->ptx[0].architecture == 90);
  CHECK(read->ptx[0].text == ptx_of(500));
  CHECK_FALSE(read->machine_code);
}

TEST_CASE("Machine code beside PTX is noted and passed over") {
  const auto read = read_fat_binary(binary_of(entry(kMachineCode, 90,
                                                    "\x7f"
                                                    "ELF") +
                                              entry(kPtx, 75, ptx_of(1))));
  REQUIRE(read);
  CHECK(read->machine_code);
  CHECK(read->ptx.size() == 1);
}

TEST_CASE("A GPU gets the PTX of the highest architecture that it can run") {
  const auto [gpu, chosen] = GENERATE(table<int, int>({{70, 0}, {75, 75}, {89, 80}, {120, 90}}));
  CAPTURE(gpu);
  const auto read = read_fat_binary(binary_of(
      entry(kPtx, 80, ptx_of(1)) + entry(kPtx, 75, ptx_of(2)) + entry(kPtx, 90, ptx_of(3))));
  REQUIRE(read);
  const FatPtx* best = best_for(*read, gpu);
  CHECK((best ? best->architecture : 0) == chosen);
}

TEST_CASE("A fat binary that is cut off anywhere is an error or reads what is whole") {
  const auto packing = GENERATE(Packing::none, Packing::lz4, Packing::zstd);
  const std::string whole = binary_of(entry(kPtx, 90, ptx_of(20), packing));
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    CHECK(error_of(whole.substr(0, bytes)) == kCut);
}

TEST_CASE("Sizes that no fat binary has are errors") {
  const std::string plain = binary_of(entry(kPtx, 90, ptx_of(20)));
  const std::string tight = binary_of(entry(kPtx, 90, ptx_of(20), Packing::lz4));
  CHECK(error_of(with<std::uint32_t>(plain, 0, 0xba55ed51)) == kOtherKind);
  CHECK(error_of(with<std::uint16_t>(plain, 6, 0)) == kOtherKind);
  CHECK(error_of(with<std::uint16_t>(plain, 6, 0xffff)) == kCut);
  CHECK(error_of(with<std::uint64_t>(plain, kBytesOfAll, ~std::uint64_t{0})) == kCut);
  CHECK(error_of(with<std::uint32_t>(plain, kEntryHeader, 0)) == kCut);
  CHECK(error_of(with<std::uint32_t>(plain, kEntryHeader, 0xffffffff)) == kCut);
  CHECK(error_of(with<std::uint64_t>(plain, kEntryBytes, ~std::uint64_t{0})) == kCut);
  CHECK(error_of(with<std::uint32_t>(tight, kCompressedBytes, 0xffffffff)) == kCut);
  CHECK(error_of(with<std::uint64_t>(tight, kPlainBytes, std::uint64_t{1} << 40)) == kCut);
  CHECK(error_of(with<std::uint64_t>(tight, kPlainBytes, 8)) == kCut);
  CHECK(error_of(with<std::uint64_t>(tight, kFlags, 0x4000)) == kOtherCompression);
}

TEST_CASE("Damaged fat binaries never do harm") {
  std::mt19937 random(7);
  for (const Packing packing : {Packing::none, Packing::lz4, Packing::zstd}) {
    const std::string whole =
        binary_of(entry(kPtx, 90, ptx_of(30), packing) + entry(kPtx, 75, ptx_of(3), packing));
    for (int round = 0; round < 3000; ++round) {
      std::string bytes = whole;
      for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
        // Most of what can go wrong is in the first headers.
        const std::size_t reach = random() % 2 == 0 ? 80 : bytes.size();
        bytes[random() % reach] = static_cast<char>(random());
      }
      // A size within the limit is honest work, and would take the test long.
      std::uint64_t plain_bytes = 0;
      std::memcpy(&plain_bytes, bytes.data() + kPlainBytes, sizeof plain_bytes);
      if (plain_bytes > (1u << 20) && plain_bytes < (1u << 31)) continue;
      const auto read = read_fat_binary(bytes);
      if (!read) CHECK(read.error().code == device::ErrorCode::ptx_limit);
    }
  }
}

}  // namespace warpbook::tests::fat_binary_test
