#include <algorithm>
#include <cstring>
#include <random>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/simulator/cubin/cubin.hpp"
#include "tests/device/compiler/compilers.hpp"

namespace warpbook::tests::cubin_test {

using namespace warpbook::device;

namespace {

using Bytes = std::vector<std::uint8_t>;

template <class T>
void put(Bytes& bytes, std::size_t at, T value) {
  if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

struct Attribute {
  std::uint8_t kind;
  std::uint32_t symbol, value;
};

/// The smallest cubin with the functions "add" (symbol 1) and "scale" (symbol 2) and the given
/// attributes.
Bytes make_cubin(const std::vector<Attribute>& attributes) {
  const std::string section_names("\0.shstrtab\0.strtab\0.symtab\0.nv.info\0", 36);
  const std::string names("\0add\0scale\0", 11);
  Bytes file(64);
  std::memcpy(file.data(),
              "\x7f"
              "ELF\x02\x01\x01",
              7);
  put<std::uint16_t>(file, 18, 190);
  put<std::uint16_t>(file, 58, 64);
  put<std::uint16_t>(file, 60, 5);
  put<std::uint16_t>(file, 62, 1);
  const auto append = [&](const void* data, std::size_t size) {
    const std::size_t at = file.size();
    file.resize(at + size);
    if (size) std::memcpy(file.data() + at, data, size);
    return at;
  };
  const std::size_t section_names_at = append(section_names.data(), section_names.size());
  const std::size_t names_at = append(names.data(), names.size());
  Bytes symbols(3 * 24);
  put<std::uint32_t>(symbols, 24, 1);
  put<std::uint8_t>(symbols, 28, 2);
  put<std::uint32_t>(symbols, 48, 5);
  put<std::uint8_t>(symbols, 52, 2);
  const std::size_t symbols_at = append(symbols.data(), symbols.size());
  Bytes info;
  for (const Attribute& a : attributes) {
    const std::size_t at = info.size();
    put<std::uint8_t>(info, at, 4);
    put<std::uint8_t>(info, at + 1, a.kind);
    put<std::uint16_t>(info, at + 2, 8);
    put<std::uint32_t>(info, at + 4, a.symbol);
    put<std::uint32_t>(info, at + 8, a.value);
  }
  const std::size_t info_at = append(info.data(), info.size());
  put<std::uint64_t>(file, 40, file.size());
  struct Section {
    std::uint32_t name, type;
    std::size_t offset, size;
    std::uint32_t link;
  };
  const Section sections[] = {{0, 0, 0, 0, 0},
                              {1, 3, section_names_at, section_names.size(), 0},
                              {11, 3, names_at, names.size(), 0},
                              {19, 2, symbols_at, symbols.size(), 2},
                              {27, 0x70000000, info_at, info.size(), 3}};
  for (const Section& s : sections) {
    const std::size_t at = file.size();
    put<std::uint32_t>(file, at + 60, 0);
    put<std::uint32_t>(file, at, s.name);
    put<std::uint32_t>(file, at + 4, s.type);
    put<std::uint64_t>(file, at + 24, s.offset);
    put<std::uint64_t>(file, at + 32, s.size);
    put<std::uint32_t>(file, at + 40, s.link);
  }
  return file;
}

}  // namespace

TEST_CASE("A cubin tells the registers and the stack of each kernel") {
  const auto kernels =
      read_cubin(make_cubin({{0x2f, 2, 40}, {0x11, 2, 456}, {0x12, 2, 999}, {0x2f, 1, 8}}));
  REQUIRE(kernels);
  REQUIRE(kernels->size() == 2);
  CHECK((*kernels)[0].name == "add");
  CHECK((*kernels)[0].registers == 8);
  CHECK((*kernels)[0].frame_bytes == 0);
  CHECK((*kernels)[1].name == "scale");
  CHECK((*kernels)[1].registers == 40);
  CHECK((*kernels)[1].frame_bytes == 456);
  CHECK((*kernels)[1].spilled_bytes(256) == 200);
  CHECK((*kernels)[0].spilled_bytes(256) == 0);
}

TEST_CASE("A cubin cut anywhere is no cubin, or says nothing that was not in it") {
  const Bytes whole = make_cubin({{0x2f, 1, 8}, {0x2f, 2, 40}});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(!read_cubin(std::span(whole).first(size)));
  }
}

TEST_CASE("A cubin whose attributes name no symbol is damaged") {
  CHECK(!read_cubin(make_cubin({{0x2f, 3, 8}})));
  CHECK(!read_cubin(make_cubin({{0x2f, 0xffffffff, 8}})));
  CHECK(!read_cubin(make_cubin({{0x2f, 0, 8}})));  // the null symbol is no function
}

TEST_CASE("Bytes changed at random never lead out of the cubin") {
  const Bytes whole = make_cubin({{0x2f, 1, 8}, {0x11, 1, 16}, {0x2f, 2, 40}});
  std::mt19937 random(7);
  std::size_t read = 0;
  for (int round = 0; round < 20000; ++round) {
    Bytes damaged = whole;
    for (int i = 0; i < 4; ++i)
      damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
    // Exactly as long as its bytes, so that a sanitizer sees one byte too far.
    const Bytes exact(damaged.begin(), damaged.end());
    if (const auto kernels = read_cubin(exact)) {
      ++read;
      for (const CubinKernel& k : *kernels) CHECK(k.name.size() < whole.size());
    }
  }
  CHECK(read > 0);
  CHECK(read < 20000);
}

TEST_CASE("Files of another kind are no cubins") {
  CHECK(!read_cubin({}));
  const Bytes zeros(4096);
  CHECK(!read_cubin(zeros));
  Bytes other_machine = make_cubin({{0x2f, 1, 8}});
  put<std::uint16_t>(other_machine, 18, 62);
  CHECK(!read_cubin(other_machine));
}

TEST_CASE("NVRTC's cubins hold the register bound that the source asked for", "[ci]") {
  const int architecture = GENERATE(75, 80, 86, 89, 90, 120);
  CAPTURE(architecture);
  CompileRequest request;
  request.name = "spill.cu";
  request.architecture = architecture;
  request.cubin = true;
  request.source = R"(
extern "C" __global__ void __maxnreg__(32) many(float* x) {
  float a[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) a[i] = x[i * threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 64; ++i) x[i * blockIdx.x] = a[i] * a[(i * 7 + 3) % 64];
}
extern "C" __global__ void few(float* x) { *x = 1; }
)";
  const auto program = compiler().compile(request);
  REQUIRE(program);
  const auto kernels = read_cubin((*program)->cubin);
  REQUIRE(kernels);
  const auto many = std::ranges::find(*kernels, "many", &CubinKernel::name);
  const auto few = std::ranges::find(*kernels, "few", &CubinKernel::name);
  REQUIRE(many != kernels->end());
  REQUIRE(few != kernels->end());
  CHECK(many->registers <= 32);
  CHECK(many->registers > 16);
  CHECK(many->spilled_bytes(0) > 0);
  CHECK(few->registers <= 16);
  CHECK(few->spilled_bytes(0) == 0);
}

}  // namespace warpbook::tests::cubin_test
