#include <set>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "device/device.hpp"
#include "device/gpu_table.hpp"

namespace warpbook::tests::gpu_table_test {

using namespace warpbook::device;

TEST_CASE("Every GPU of the table has every limit, and none contradicts another") {
  std::set<std::string> names;
  for (const Properties& gpu : gpu_table()) {
    CAPTURE(gpu.name);
    CHECK(names.insert(gpu.name).second);
    CHECK(gpu.simulated);
    CHECK(gpu.compute_capability >= 75);
    CHECK(gpu.multiprocessors > 0);
    CHECK(gpu.max_threads_per_block == 1024);
    CHECK(gpu.max_threads_per_multiprocessor >= gpu.max_threads_per_block);
    CHECK(gpu.max_threads_per_multiprocessor % kLanes == 0);
    CHECK(gpu.max_blocks_per_multiprocessor >= 16);
    CHECK(gpu.shared_per_block <= gpu.shared_per_block_optin);
    CHECK(gpu.shared_per_block_optin + gpu.reserved_shared_per_block <=
          gpu.shared_per_multiprocessor);
    CHECK((gpu.max_cluster_blocks > 0) == (gpu.compute_capability >= 90));
    CHECK(gpu.global_bytes >= 1ull << 32);
    CHECK(gpu.l2_bytes >= 1u << 20);
    CHECK(gpu.clock_khz > 1'000'000);
  }
}

TEST_CASE("The memory clock and bus of each GPU give the bandwidth that NVIDIA states") {
  struct Stated {
    const char* gpu;
    double gigabytes_a_second;
  };
  const auto stated = GENERATE(
      Stated{"T4", 320}, Stated{"RTX 2080 Ti", 616}, Stated{"A100 40GB", 1555},
      Stated{"A100 80GB", 2039}, Stated{"RTX 3090", 936}, Stated{"RTX 4090", 1008},
      Stated{"RTX 3080", 760}, Stated{"RTX 3070 Ti", 608}, Stated{"RTX 3060", 360},
      Stated{"RTX A6000", 768}, Stated{"L4", 300}, Stated{"H100 SXM", 3350}, Stated{"B200", 7672},
      Stated{"RTX 5090", 1792}, Stated{"RTX PRO 6000 Blackwell", 1792},
      Stated{"RTX 2060 Laptop", 336}, Stated{"RTX 3050 Laptop", 192},
      Stated{"RTX 4060 Laptop", 256}, Stated{"RTX 5070 Laptop", 384});
  CAPTURE(stated.gpu);
  const Properties* gpu = find_gpu(stated.gpu);
  REQUIRE(gpu);
  const double rate = 2.0 * gpu->memory_clock_khz * 1e3 * gpu->memory_bus_bits / 8 / 1e9;
  CHECK_THAT(rate, Catch::Matchers::WithinRel(stated.gigabytes_a_second, 0.005));
}

TEST_CASE("An H200's memory runs as fast as its driver says, a little faster than its data sheet") {
  const Properties& gpu = *find_gpu("H200");
  CHECK(gpu.memory_clock_khz == 3'201'000);
  const double rate = 2.0 * gpu.memory_clock_khz * 1e3 * gpu.memory_bus_bits / 8 / 1e9;
  CHECK_THAT(rate, Catch::Matchers::WithinRel(4800, 0.03));
}

TEST_CASE("A board's memory is what nvidia-smi shows, but for what the driver or ECC keeps") {
  struct Shown {
    const char* gpu;
    std::uint64_t mib;
    double kept_by_ecc;
  };
  const auto shown = GENERATE(Shown{"T4", 15360, 1.0 / 16}, Shown{"L4", 23034, 1.0 / 16},
                              Shown{"A100 40GB", 40960, 0}, Shown{"A100 80GB", 81920, 0},
                              Shown{"H100 SXM", 81559, 0}, Shown{"H200", 143771, 0},
                              Shown{"RTX PRO 6000 Blackwell", 97887, 0});
  CAPTURE(shown.gpu);
  const auto left =
      static_cast<double>(find_gpu(shown.gpu)->global_bytes >> 20) * (1 - shown.kept_by_ecc);
  CHECK(static_cast<double>(shown.mib) <= left);
  CHECK_THAT(static_cast<double>(shown.mib), Catch::Matchers::WithinRel(left, 0.005));
}

TEST_CASE("The default GPU is in the table") { CHECK(find_gpu(kDefaultGpu)); }

TEST_CASE("Every GPU has a source, and its rates also by the name that its driver gives it") {
  for (const Properties& gpu : gpu_table()) {
    CAPTURE(gpu.name);
    CHECK_FALSE(source_of_gpu(gpu.name).empty());
    Properties driver = gpu;
    driver.name = "NVIDIA " + gpu.name;
    CHECK(rates_of(driver).dram_write == rates_of(gpu).dram_write);
    CHECK(rates_of(driver).l2_bytes == rates_of(gpu).l2_bytes);
  }
  CHECK(source_of_gpu("a GPU that is not in the table").empty());
}

TEST_CASE("Blackwell's limits are those that the CUDA runtime reports") {
  const Properties &b200 = *find_gpu("b200"), &rtx = *find_gpu("rtx5090");
  CHECK(b200.compute_capability == 100);
  CHECK(b200.max_threads_per_multiprocessor == 2048);
  CHECK(b200.shared_per_multiprocessor == 228 * 1024);
  CHECK(rtx.compute_capability == 120);
  CHECK(rtx.max_threads_per_multiprocessor == 1536);
  CHECK(rtx.shared_per_multiprocessor == 102400);
  CHECK(rtx.shared_per_block_optin == 99 * 1024);
  CHECK(rtx.l2_bytes == 100663296);
}

TEST_CASE("A GPU that is not in the table has the rates of its architecture") {
  Properties unknown = *find_gpu("H100 SXM");
  unknown.name = "NVIDIA H100 PCIe";
  CHECK(rates_of(unknown).multiply_add == 128);
  CHECK(rates_of(unknown).dram_write == rates_of(*find_gpu("H100 SXM")).dram_write);
  CHECK(rates_of(unknown).l2_bytes == rates_of(*find_gpu("H100 SXM")).l2_bytes);
}

TEST_CASE("A GPU is found as people write its name") {
  struct Spelling {
    const char* written;
    const char* name;
  };
  const auto s = GENERATE(
      Spelling{"h200", "H200"}, Spelling{"H200", "H200"}, Spelling{"nvidia h200", "H200"},
      Spelling{"rtx 4090", "RTX 4090"}, Spelling{"RTX4090", "RTX 4090"},
      Spelling{"4090", "RTX 4090"}, Spelling{"RTX 3060", "RTX 3060"},
      Spelling{"3070ti", "RTX 3070 Ti"}, Spelling{"a6000", "RTX A6000"},
      Spelling{"GeForce RTX 2080 Ti", "RTX 2080 Ti"}, Spelling{"2080ti", "RTX 2080 Ti"},
      Spelling{"Tesla T4", "T4"}, Spelling{"a100", "A100 40GB"}, Spelling{"a100-80gb", "A100 80GB"},
      Spelling{"h100", "H100 SXM"}, Spelling{"l4", "L4"}, Spelling{"b200", "B200"},
      Spelling{"rtx5090", "RTX 5090"}, Spelling{"rtxpro6000", "RTX PRO 6000 Blackwell"},
      Spelling{"rtx2060laptop", "RTX 2060 Laptop"}, Spelling{"rtx3050laptop", "RTX 3050 Laptop"},
      Spelling{"rtx4060laptop", "RTX 4060 Laptop"}, Spelling{"rtx5070laptop", "RTX 5070 Laptop"},
      Spelling{"NVIDIA GeForce RTX 5070 Laptop GPU", "RTX 5070 Laptop"});
  CAPTURE(s.written);
  const Properties* gpu = find_gpu(s.written);
  REQUIRE(gpu);
  CHECK(gpu->name == s.name);
}

TEST_CASE("A name that is no GPU's finds none") {
  const auto* name = GENERATE("", "  ", "h", "a1", "h300", "radeon", "h200x", "nvidia");
  CAPTURE(name);
  CHECK(find_gpu(name) == nullptr);
}

TEST_CASE("Opening an unknown GPU names those there are") {
  const auto opened = open_device("simulator", "voodoo");
  REQUIRE(!opened);
  CHECK(opened.error().code == ErrorCode::no_such_gpu);
  const std::string text = opened.error().english();
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring("voodoo"));
  for (const Properties& gpu : gpu_table())
    CHECK_THAT(text, Catch::Matchers::ContainsSubstring(gpu.name));
}

}  // namespace warpbook::tests::gpu_table_test
