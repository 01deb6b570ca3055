#include "lab/text/wording.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include <catch2/catch_test_macros.hpp>

#include "device/device.hpp"
#include "lab/markup/phrases.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::wording_test {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

/// All that the rooms say in literals, adjacent ones joined.
std::string said_by_sources() {
  static const std::regex joint(R"("\s*\n\s*")");
  std::string all;
  for (const char* room : {"device", "lab", "cli"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::string(WARPBOOK_SOURCE_DIR "/") + room)) {
      if (entry.path().extension() != ".cpp") continue;
      std::ifstream stream(entry.path());
      all += std::regex_replace(std::string{std::istreambuf_iterator<char>(stream), {}}, joint, "");
    }
  }
  return all;
}

/// A phrase without its placeholders, in pieces.
std::vector<std::string> fixed_parts(const std::string& phrase) {
  static const std::regex hole(R"(\{[a-z_]+\})");
  std::vector<std::string> parts;
  for (std::sregex_token_iterator at(phrase.begin(), phrase.end(), hole, -1), end; at != end;
       ++at) {
    std::string part = at->str();
    // Where one literal ends and the next begins there are blanks, commas and brackets only.
    const std::size_t first = part.find_first_not_of(" ,()"), last = part.find_last_not_of(" ,()");
    if (first != std::string::npos) parts.push_back(part.substr(first, last + 1 - first));
  }
  return parts;
}

}  // namespace

TEST_CASE("a filled pattern gives back what it was filled with, and nothing else does") {
  CHECK(unfilled("block {b}, thread {t}", "block 0, thread 31") ==
        Arguments{{"b", "0"}, {"t", "31"}});
  CHECK(unfilled("{gpu}, simulated", "RTX 4090, simulated") == Arguments{{"gpu", "RTX 4090"}});
  CHECK(unfilled("load {rest}", "load add.cu 1.28 KiB") == Arguments{{"rest", "add.cu 1.28 KiB"}});
  CHECK(unfilled("read", "read") == Arguments{});
  for (const char* other : {"reads", "", "a read", "block 0", "block , thread 1", "load "}) {
    CAPTURE(other);
    CHECK_FALSE(unfilled("read", other).has_value());
    CHECK_FALSE(unfilled("block {b}, thread {t}", other).has_value());
    CHECK_FALSE(unfilled("load {rest}", other).has_value());
  }
}

TEST_CASE("what code says in English is said in Chinese, in one piece or many") {
  const auto zh = sample::strings(Language::chinese);
  CHECK(zh->said("kind", "atomic operation") == "原子操作");
  CHECK(zh->said("device", "this CPU, simulating H200") == "本机 CPU（模拟 H200）");
  CHECK(zh->said("written_by", "block 2, thread 7") == "线程块 2 的线程 7");
  CHECK(zh->said("calls", "load a.cu 1 KiB\ncopy_in x 16 B\nlaunch k\n") ==
        "加载 a.cu 1 KiB\n复制到设备 x 16 B\n启动 k\n");
  CHECK(
      zh->said("who", "warp 0: lanes 0-3, 5 wait at bar.sync 0 (line 7); block 0, thread 1; ...") ==
      "线程束 0 的通道 0-3, 5 等在 bar.sync 0（第 7 行）；线程块 0 的线程 1；...");
  CHECK(
      zh->said("who",
               "block 0, warp 1: lanes 0-31 wait at mbarrier.try_wait.shared.b64 %p1, [%r2], %rd3 "
               "(line 9) for phase 0 of the mbarrier at byte 8 of shared memory (initialised in "
               "line 4), "
               "which misses 1 of 65 arrivals and 64 bytes") ==
      "线程块 0 中线程束 1 的通道 0-31 等在 mbarrier.try_wait.shared.b64 %p1, [%r2], %rd3（第 9 "
      "行），等的是共享内存第 8 字节处的 mbarrier（第 4 行初始化）的第 0 阶段，它的 65 次到达还缺 "
      "1 次和 64 字节");
  // A buffer may be called what an access is called; and what nobody knows stays, punctuation too.
  CHECK(zh->said("name", "read") == "read");
  CHECK(zh->said("why", "who knows; not I") == "who knows; not I");
  CHECK(badge(*zh, {device::EvidenceKind::counted, "H200, simulated", {}}) ==
        "计数 · H200（模拟）");
}

TEST_CASE("a refused launch is told in Chinese without an English reason") {
  const auto zh = sample::strings(Language::chinese);
  const device::Error refused{
      device::ErrorCode::invalid_configuration,
      {{"why",
        "a block of 1025 x 1 x 1 = 1025 threads, and H200 allows 1024; use more blocks of "
        "fewer threads"}},
      {}};
  CHECK((*zh)(refused) ==
        "cudaErrorInvalidConfiguration：每块 1025 x 1 x 1 = 1025 个线程，而 H200 最多允许 1024 "
        "个；请用更多、更小的线程块");
}

TEST_CASE("every phrase that is translated is one that the code says") {
  const std::string sources = said_by_sources();
  const auto english = sample::strings(Language::english);
  for (const auto& [key, phrase] : english->all()) {
    if (!key.starts_with("said.")) continue;
    for (const std::string& part : fixed_parts(phrase)) {
      CAPTURE(key, part);
      // As it stands in a literal, where quotation marks are escaped.
      CHECK(sources.find(std::regex_replace(part, std::regex("\""), "\\\"")) != std::string::npos);
    }
  }
}

}  // namespace warpbook::lab::wording_test
