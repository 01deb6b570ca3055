// `warpbook launch`, run as a user would: what it computes, what it prints, and how it refuses.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <nlohmann/json.hpp>

#include "tests/bump.hpp"
#include "tests/cli/program.hpp"

namespace warpbook::tests::launch_test {

using nlohmann::json;

namespace {

constexpr const char* kEndless = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry endless()
{
AGAIN:
  bra AGAIN;
}
)";

// Stores its scalar arguments' bytes one after another: q.x is 8 bytes of a structure.
constexpr const char* kScalars = R"(
struct Q { int a; float b; };
__global__ void scalars(unsigned char* out, signed char c, unsigned short s, int i, long long l,
                        float f, double d, Q q) {
  auto put = [&](int at, const void* from, int n) {
    for (int k = 0; k < n; ++k) out[at + k] = static_cast<const unsigned char*>(from)[k];
  };
  put(0, &c, 1), put(2, &s, 2), put(4, &i, 4), put(8, &l, 8);
  put(16, &f, 4), put(24, &d, 8), put(32, &q, 8);
}
)";

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> values_of(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

Outcome launch(const std::string& file, std::vector<std::string> more) {
  more.insert(more.begin(), {"launch", file});
  return warpbook(more);
}

/// One line on standard error, nothing on standard output.
void check_refused(const Outcome& outcome, int code, const std::string& text) {
  CHECK(outcome.code == code);
  CHECK(outcome.err == "warpbook: " + text + "\n");
  CHECK(outcome.out.empty());
}

}  // namespace

TEST_CASE("launch tells each stray access in a line of its own, ten of them, and how many more",
          "[ci]") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("fill.cu", "__global__ void fill(int* x) {\n  x[threadIdx.x] = 1;\n}\n");
  const Outcome few = launch(file, {"--block", "4", "--arg", "out:8"});
  CHECK(few.code == 1);
  CHECK(few.err ==
        "warpbook: fill.cu:2:3: write outside arg1[0..1]: arg1[2], thread 2 of block 0; guard the "
        "index\n"
        "warpbook: fill.cu:2:3: write outside arg1[0..1]: arg1[3], thread 3 of block 0; guard the "
        "index\n");
  const Outcome many = launch(file, {"--block", "32", "--arg", "out:8"});
  CHECK(std::ranges::count(many.err, '\n') == 11);
  CHECK(
      many.err.ends_with("arg1[11], thread 11 of block 0; guard the index\n"
                         "warpbook: and 20 more; --json lists up to 100\n"));
}

TEST_CASE("launch runs a foreign PTX on a buffer and writes it back") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const std::string x = folder.write("x.bin", raw<int>({1, 2, 3, 4, 5}));
  const std::string out = (folder.path() / "out.bin").string();
  const Outcome done =
      launch(file, {"--block", "32", "--arg", "inout:" + x + "=" + out, "--arg", "4"});
  CHECK(done.code == 0);
  CHECK(done.out.empty());
  CHECK(values_of<int>(read_whole(out)) == std::vector{2, 3, 4, 5, 5});
  CHECK(values_of<int>(read_whole(x)) == std::vector{1, 2, 3, 4, 5});
}

TEST_CASE("inout without a second file is written in place, but not after a failure") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const std::string x = folder.write("x.bin", raw<int>({1, 2, 3}));
  CHECK(launch(file, {"--block", "32", "--arg", "inout:" + x, "--arg", "i32:3"}).code == 0);
  CHECK(values_of<int>(read_whole(x)) == std::vector{2, 3, 4});
  CHECK(launch(file, {"--block", "32", "--arg", "inout:" + x, "--arg", "i32:4"}).code == 1);
  CHECK(values_of<int>(read_whole(x)) == std::vector{2, 3, 4});
}

TEST_CASE("launch --json holds geometry, instructions, seconds, counters, errors and output") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const Outcome done =
      launch(file, {"--grid", "2", "--block", "16,2", "--arg", "out:160", "--arg", "40", "--json"});
  REQUIRE(done.code == 0);
  const json report = json::parse(done.out);
  CHECK(report["kernel"] == "bump");
  CHECK(report["geometry"]["grid"] == json({2, 1, 1}));
  CHECK(report["geometry"]["block"] == json({16, 2, 1}));
  CHECK(report["geometry"]["dynamic_shared"] == 0);
  // tid.x alone numbers the threads, so both rows of 16 add: 2 blocks x 32 threads, none past 40.
  CHECK(report["thread_instructions"] == 64 * 7 + 64 * 6 + 64);
  CHECK(report["seconds"].get<double>() > 0);
  CHECK(report["total"]["global_requests"] == 4);
  CHECK(report["errors"].empty());
  CHECK(report["output"] == "");
  CHECK(report["gpu"] == "H200");
  CHECK(report["device"] == "simulator");
}

TEST_CASE("launch compiles a .cu, its main() and its own headers left where they belong", "[ci]") {
  const TemporaryFolder folder;
  folder.write(
      "scale.cuh",
      "#pragma once\n__device__ inline float scaled(float x, float a) { return a * x; }\n");
  const std::string file = folder.write("whole.cu", R"(
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "scale.cuh"
using namespace std;
#define CHECK(call) if ((call) != cudaSuccess) exit(1)

__global__ void scale(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = scaled(x[i], a);
  if (i == 0) printf("n = %d\n", n);
}

static vector<float> host(10);

float on_host(float x) { return 2 * x; }

int main() {
  float *x, *y;
  CHECK(cudaMalloc(&x, 40));
  CHECK(cudaMalloc(&y, 40));
  scale<<<1, 32>>>(x, y, on_host(1), 10);
  for (float v : host) cout << v << "}";
  return 0;
}
)");
  const std::string x = folder.write("x.bin", raw<float>({1, 2, 3}));
  const std::string y = (folder.path() / "y.bin").string();
  const std::vector<std::string> arguments{"--block",     "32",    "--arg", "in:" + x, "--arg",
                                           "out:12=" + y, "--arg", "2.5",   "--arg",   "3"};
  const Outcome done = launch(file, arguments);
  CHECK(done.code == 0);
  CHECK(done.out == "n = 3\n");
  CHECK(values_of<float>(read_whole(y)) == std::vector{2.5f, 5.0f, 7.5f});

  auto with_json = arguments;
  with_json.emplace_back("--json");
  const json report = json::parse(launch(file, with_json).out);
  CHECK(report["output"] == "n = 3\n");
  CHECK(report["registers"].get<int>() > 0);
  CHECK(report["spilled_bytes"] == 0);
  CHECK(report["machine_mix"]["EXIT"].get<int>() >= 1);
  CHECK(report["occupancy"] == json{{"blocks", 32}, {"fraction", 0.5}, {"limiter", "blocks"}});
  CHECK(done.err.find(
            "32 blocks fit a multiprocessor of H200, 50 % of its warps, limited by blocks") !=
        std::string::npos);
  // Counters stand at the lines of the file as its author sees them; line 5 of the kernel's own
  // text is line 11.
  bool guard_counted = false;
  for (const json& line : report["lines"]) {
    if (line["line"] == 11 && line["file"].get<std::string>().ends_with("whole.cu")) {
      guard_counted = line["counters"]["thread_instructions"] > 0;
    }
  }
  CHECK(guard_counted);
}

TEST_CASE("Scalars and structures arrive bit for bit", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("scalars.cu", kScalars);
  std::string q(8, '\0');
  const int a = -7;
  const float b = 0.5f;
  std::memcpy(q.data(), &a, 4);
  std::memcpy(q.data() + 4, &b, 4);
  const std::string structure = folder.write("q.bin", q);
  const std::string out = (folder.path() / "out.bin").string();
  const bool typed = GENERATE(true, false);
  std::vector<std::string> arguments{"--arg", "out:40=" + out};
  const char* const types[] = {"i8:", "u16:", "i32:", "i64:", "f32:", "f64:"};
  const char* const numbers[] = {"-5",   "65535", "0x7fffffff", "-9223372036854775808",
                                 "1e-3", "0.1"};
  for (int i = 0; i < 6; ++i)
    arguments.insert(arguments.end(), {"--arg", (typed ? types[i] : "") + std::string(numbers[i])});
  arguments.insert(arguments.end(), {"--arg", "bytes:" + structure});
  const Outcome done = launch(file, arguments);
  CAPTURE(done.err);
  REQUIRE(done.code == 0);
  const std::string bytes = read_whole(out);
  REQUIRE(bytes.size() == 40);
  const auto at = [&]<class T>(std::size_t offset, T) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  };
  CHECK(static_cast<signed char>(bytes[0]) == -5);
  CHECK(at(2, std::uint16_t{}) == 65535);
  CHECK(at(4, 0) == 0x7fffffff);
  CHECK(at(8, std::int64_t{}) == std::numeric_limits<std::int64_t>::min());
  CHECK(at(16, 0.0f) == 1e-3f);
  CHECK(at(24, 0.0) == 0.1);
  CHECK(bytes.substr(32) == q);
}

TEST_CASE("Half and bfloat16 arguments are rounded to nearest even", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("halves.cu", R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void halves(unsigned short* out, __half h, __nv_bfloat16 b) {
  out[0] = __half_as_ushort(h);
  out[1] = __bfloat16_as_ushort(b);
})");
  struct Case {
    const char* number;
    std::uint16_t half, bfloat;
  };
  const auto c =
      GENERATE(Case{"1", 0x3c00, 0x3f80}, Case{"-2", 0xc000, 0xc000}, Case{"65504", 0x7bff, 0x4780},
               Case{"65520", 0x7c00, 0x4780}, Case{"1e-7", 0x0002, 0x33d7},
               Case{"inf", 0x7c00, 0x7f80}, Case{"0.1", 0x2e66, 0x3dcd});
  const std::string out = (folder.path() / "out.bin").string();
  CAPTURE(c.number);
  const Outcome done =
      launch(file, {"--arg", "out:4=" + out, "--arg", std::string("f16:") + c.number, "--arg",
                    std::string("bf16:") + c.number});
  CAPTURE(done.err);
  REQUIRE(done.code == 0);
  CHECK(values_of<std::uint16_t>(read_whole(out)) == std::vector{c.half, c.bfloat});
}

TEST_CASE("Each launch that CUDA would refuse is refused in one line with code 1") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  struct Case {
    std::vector<std::string> flags;
    const char* text;
  };
  const std::vector<std::string> good{"--arg", "out:16", "--arg", "4"};
  const auto c = GENERATE(Case{{"--grid", "0"},
                               "cudaErrorInvalidConfiguration: a grid of 0 x 1 x 1 has no blocks; "
                               "every dimension is at least 1"},
                          Case{{"--block", "1025"},
                               "cudaErrorInvalidConfiguration: a block of 1025 x 1 x 1 threads, "
                               "and H200 allows 1024 x 1024 x 64; use more blocks "
                               "of fewer threads"},
                          Case{{"--block", "1,1,65"},
                               "cudaErrorInvalidConfiguration: a block of 1 x 1 x 65 threads, and "
                               "H200 allows 1024 x 1024 x 64; use more blocks of "
                               "fewer threads"},
                          Case{{"--grid", "1,65536"},
                               "cudaErrorInvalidConfiguration: a grid of 1 x 65536 x 1 blocks, and "
                               "H200 allows 2147483647 x 65535 x 65535; put the "
                               "longest dimension into x"},
                          Case{{"--shared", "232449"},
                               "cudaErrorInvalidValue: 232449 bytes of shared memory a block (0 in "
                               "the kernel + 232449 at launch), and H200 allows "
                               "232448; use less or split the tile"},
                          Case{{"--gpu", "t4", "--shared", "65537"},
                               "cudaErrorInvalidValue: 65537 bytes of shared memory a block (0 in "
                               "the kernel + 65537 at launch), and T4 allows "
                               "65536; use less or split the tile"},
                          Case{{"--cooperative", "--grid", "5000", "--block", "1024"},
                               "cudaErrorCooperativeLaunchTooLarge: a cooperative grid of 5000 "
                               "blocks, and H200 holds 264 at once (2 on each of 132 "
                               "multiprocessors, limited by threads); launch at most 264"},
                          Case{{"--gpu", "l4", "--cluster", "2", "--grid", "2"},
                               "a cluster of 2 x 1 x 1 blocks (clusters need compute capability "
                               "9.0, as H100 and H200 have it) is not supported by "
                               "L4"});
  auto flags = c.flags;
  flags.insert(flags.end(), good.begin(), good.end());
  check_refused(launch(file, flags), 1, c.text);
}

TEST_CASE("Too few, too many and wrongly typed arguments are refused with the signature") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  struct Case {
    std::vector<std::string> flags;
    const char* text;
  };
  const auto c = GENERATE(
      Case{{}, "bump takes 2 argument(s) and was given 0; it takes (int*, int)"},
      Case{{"--arg", "out:16"}, "bump takes 2 argument(s) and was given 1; it takes (int*, int)"},
      Case{{"--arg", "out:16", "--arg", "4", "--arg", "5"},
           "bump takes 2 argument(s) and was given 3; it takes (int*, int)"},
      Case{{"--arg", "5", "--arg", "4"},
           "argument 1 of bump is int* (a pointer) and was given the number 5; give it a buffer or "
           "null"},
      Case{{"--arg", "out:16", "--arg", "f32:4"},
           "argument 2 of bump is int (an integer of 32 bits) and was given f32; give it i32 or "
           "u32"},
      Case{{"--arg", "out:16", "--arg", "null"},
           "argument 2 of bump is int (an integer of 32 bits) and was given a pointer; give it i32 "
           "or u32"});
  check_refused(launch(file, c.flags), 1, c.text);
}

TEST_CASE("An argument that cannot be read is bad usage") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  struct Case {
    const char* argument;
    const char* text;
  };
  const auto c = GENERATE(
      Case{"i32:five",
           "the argument \"i32:five\" cannot be used: it is no whole number; i32 needs one"},
      Case{"i32:2147483648",
           "the argument \"i32:2147483648\" cannot be used: i32 holds -2147483648 to 2147483647"},
      Case{"u8:-1", "the argument \"u8:-1\" cannot be used: u8 holds 0 to 255"},
      Case{"u8:1.5", "the argument \"u8:1.5\" cannot be used: it is no whole number; u8 needs one"},
      Case{"f32:1e99", "the argument \"f32:1e99\" cannot be used: f32 does not reach that far"},
      Case{"f64:", "the argument \"f64:\" cannot be used: it is no number; f64 needs one"},
      Case{"i33:5",
           "the argument \"i33:5\" cannot be used: write TYPE:NUMBER (u8 to f64), a number, null, "
           "bytes:FILE, in:FILE, "
           "out:BYTES[=FILE], inout:FILE[=FILE], tex2d:FORMAT:WxH:FILE[,OPTION] or "
           "surf2d:FORMAT:WxH[:FILE][=FILE]"},
      Case{"pear",
           "the argument \"pear\" cannot be used: write TYPE:NUMBER (u8 to f64), a number, null, "
           "bytes:FILE, in:FILE, "
           "out:BYTES[=FILE], inout:FILE[=FILE], tex2d:FORMAT:WxH:FILE[,OPTION] or "
           "surf2d:FORMAT:WxH[:FILE][=FILE]"},
      Case{"out:many",
           "the argument \"out:many\" cannot be used: the size is a whole number of bytes; write "
           "out:BYTES or "
           "out:BYTES=FILE"},
      Case{"out:16=", "the argument \"out:16=\" cannot be used: there is no file after the ="});
  check_refused(launch(file, {"--arg", c.argument}), 2, c.text);
}

TEST_CASE("A plain number that does not suit its parameter is bad usage") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  check_refused(launch(file, {"--arg", "out:16", "--arg", "2.5"}), 2,
                "the argument \"2.5\" cannot be used: it is no whole number; i32 needs one");
}

TEST_CASE("Flags that cannot be read are bad usage") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const auto flags = GENERATE(
      std::vector<std::string>{"--grid", "x"}, std::vector<std::string>{"--block", "1,2,3,4"},
      std::vector<std::string>{"--block", "-1"}, std::vector<std::string>{"--grid", "99999999999"},
      std::vector<std::string>{"--shared", "-1"}, std::vector<std::string>{"--nonsense"},
      std::vector<std::string>{"--gpu", "voodoo"}, std::vector<std::string>{"--host-threads", "many"});
  const Outcome refused = launch(file, flags);
  CAPTURE(flags, refused.err);
  CHECK(refused.code == 2);
  CHECK(refused.err.starts_with("warpbook: "));
  CHECK(std::count(refused.err.begin(), refused.err.end(), '\n') == 1);
  CHECK(refused.out.empty());
}

TEST_CASE("Files that are none, cannot be read or are no text are bad usage") {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "missing.ptx").string();
  const Outcome none = launch(missing, {});
  CHECK(none.code == 2);
  CHECK(none.err.starts_with("warpbook: " + missing + " cannot be read: "));
  const std::string binary = folder.write("binary.ptx", std::string("\x7f"
                                                                    "ELF\x02\x01\x01\0\0\0",
                                                                    10));
  check_refused(launch(binary, {}), 2, binary + " is not a text file of PTX or CUDA C++");
  const std::string other = folder.write("kernel.txt", kBump);
  check_refused(
      launch(other, {}), 2,
      "the argument \"" + other + "\" cannot be used: launch runs a file that ends in .cu or .ptx");
  const std::string bump = folder.write("bump.ptx", kBump);
  const Outcome no_input = launch(bump, {"--arg", "in:" + missing, "--arg", "1"});
  CHECK(no_input.code == 2);
  CHECK(no_input.err.starts_with("warpbook: " + missing + " cannot be read: "));
}

TEST_CASE("PTX cut off anywhere is refused or runs, and never hangs or crashes") {
  const TemporaryFolder folder;
  const std::string whole = kBump;
  const auto part = GENERATE(Catch::Generators::range(0, 20));
  const std::size_t size = whole.size() * static_cast<std::size_t>(part) / 20;
  const std::string file = folder.write("cut.ptx", whole.substr(0, size));
  const Outcome refused = launch(file, {"--arg", "out:16", "--arg", "4"});
  CAPTURE(size, refused.err);
  CHECK(refused.code == 1);
  CHECK(refused.err.starts_with("warpbook: "));
  CHECK(std::count(refused.err.begin(), refused.err.end(), '\n') == 1);
}

TEST_CASE("A kernel name that is missing or not there is answered with those there are") {
  const TemporaryFolder folder;
  const std::string two = folder.write(
      "two.ptx", std::string(kBump) + ".visible .entry endless()\n{\nA:\n  bra A;\n}\n");
  check_refused(launch(two, {}), 1, "there are several kernels here (bump, endless); name one");
  check_refused(launch(two, {"--kernel", "bmup"}), 1,
                "there is no kernel bmup; the kernels here are bump, endless");
  CHECK(launch(two, {"--kernel", "bump", "--arg", "out:4", "--arg", "1"}).code == 0);
  CHECK(launch(two, {"--kernel", "_Z4bumpPii", "--arg", "out:4", "--arg", "1"}).code == 0);
  const std::string none =
      folder.write("none.ptx", ".version 8.0\n.target sm_75\n.address_size 64\n");
  check_refused(launch(none, {}), 1,
                "there is no kernel in " + none +
                    "; a kernel is a function marked __global__, in PTX an .entry");
}

TEST_CASE("An endless loop ends by the timeout, with what was printed and what to look for") {
  const TemporaryFolder folder;
  const std::string file = folder.write("endless.ptx", kEndless);
  const Outcome stopped = launch(file, {"--timeout", "0.2"});
  CHECK(stopped.code == 1);
  CHECK(stopped.err.find("is there a loop that does not end?") != std::string::npos);
  CHECK(std::count(stopped.err.begin(), stopped.err.end(), '\n') == 1);
}

TEST_CASE("A write past the end names the argument, the element, the thread and the block") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const Outcome past = launch(file, {"--block", "32", "--arg", "out:16", "--arg", "5", "--json"});
  CHECK(past.code == 1);
  CHECK(past.err.find("arg1[4]") != std::string::npos);
  CHECK(past.err.find("thread 4 of block 0") != std::string::npos);
  const json report = json::parse(past.out);
  REQUIRE(!report["errors"].empty());
  CHECK(report["errors"][0]["arguments"]["name"] == "arg1");
}

TEST_CASE("A null pointer is a finding, not a crash") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const Outcome null = launch(file, {"--arg", "null", "--arg", "1"});
  CHECK(null.code == 1);
  CHECK(null.err.find("through a null pointer") != std::string::npos);
}

TEST_CASE("With --json a refusal is JSON too") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const Outcome refused = launch(file, {"--grid", "0", "--arg", "out:4", "--arg", "1", "--json"});
  CHECK(refused.code == 1);
  const json report = json::parse(refused.out);
  REQUIRE(report["errors"].size() == 1);
  CHECK(report["errors"][0]["code"] == "invalid_configuration");
}

TEST_CASE(
    "Source that does not compile is refused at its line, and --json has every word of the "
    "compiler",
    "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "broken.cu", "__global__ void k(int* x) {\n  *x = undeclared;\n}\nint main() {}\n");
  const Outcome refused = launch(file, {"--arg", "out:4"});
  CHECK(refused.code == 1);
  CHECK(refused.err.find("broken.cu") != std::string::npos);
  CHECK(refused.err.find("undeclared") != std::string::npos);
  CHECK(std::count(refused.err.begin(), refused.err.end(), '\n') == 1);
  const json report = json::parse(launch(file, {"--arg", "out:4", "--json"}).out);
  REQUIRE(!report["diagnostics"].empty());
  CHECK(report["diagnostics"][0]["place"]["line"] == 2);
}

TEST_CASE("The flags --define, --arch and --seed reach the compiler and the machine", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "define.cu", "__global__ void k(int* x) { x[0] = VALUE; x[1] = __CUDA_ARCH__; }\n");
  const std::string out = (folder.path() / "out.bin").string();
  const Outcome done = launch(
      file, {"--define", "VALUE=42", "--arch", "sm_80", "--seed", "3", "--arg", "out:8=" + out});
  CAPTURE(done.err);
  REQUIRE(done.code == 0);
  CHECK(values_of<int>(read_whole(out)) == std::vector{42, 800});
  CHECK(launch(file, {"--define", "VALUE=1\n2", "--arg", "out:8"}).code == 2);
  CHECK(launch(file, {"--define", "VALUE=1", "--arch", "sm_12", "--arg", "out:8"}).code == 2);
  CHECK(launch(file, {"--define", "VALUE=1", "--arch", "pascal", "--arg", "out:8"}).code == 2);
}

}  // namespace warpbook::tests::launch_test
