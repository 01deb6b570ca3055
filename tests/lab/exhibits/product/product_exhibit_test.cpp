// A product from inside one block: told from made-up traces, and what the renderers say of it.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/product/product_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "lab/report/binary.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::product_exhibit_test {
namespace {

using device::AccessKind;
using device::Space;
using sample::english;
using sample::exhibit;
using tests::holds;
using Elements = std::vector<std::uint32_t>;

/// A launch on matrices of 4 x 4 whose accesses a test writes down one by one.
class Made {
 public:
  static constexpr std::uint64_t kA = 4096, kB = 8192, kC = 12288;

  explicit Made(std::vector<std::string> instructions) {
    record.counted = true;
    record.grid = {2, 1, 1};
    record.block = {32, 1, 1};
    for (const auto& [name, address] : {std::pair{"a", kA}, {"b", kB}, {"c", kC}})
      record.allocations.push_back({name, address, 64, device::ElementType::f32});
    for (std::string& text : instructions) {
      device::InstructionCounters made;
      made.text = std::move(text);
      record.instructions.push_back(std::move(made));
    }
  }
  Made& access(std::uint32_t which, std::uint64_t address, std::uint32_t thread,
               std::uint32_t block = 1) {
    const std::string& text = record.instructions[which].text;
    device::Access made;
    made.address = address;
    made.instruction = which;
    made.block = block;
    made.thread = thread;
    made.bytes = holds(text, ".v4.") ? 16 : 4;
    made.space = holds(text, "shared") ? Space::shared : Space::global;
    made.kind = text.starts_with("ld") ? AccessKind::load : AccessKind::store;
    record.trace.push_back(made);
    return *this;
  }
  [[nodiscard]] ProductExhibit product() const { return product_of(record, {4, 4, 4, 1, 0}); }

  device::LaunchRecord record;
};

}  // namespace

TEST_CASE("Product: what a thread loads and does not pass on, it uses itself") {
  Made made(
      {"ld.global.f32 %f1, [%rd1];", "ld.global.f32 %f2, [%rd2];", "st.global.f32 [%rd3], %f3;"});
  made.access(0, Made::kA + 4, 2).access(1, Made::kB + 20, 2);
  made.access(0, Made::kA + 8, 2).access(2, Made::kC + 12, 2);
  made.access(0, Made::kA, 2, 0);  // another block
  const ProductExhibit product = made.product();
  CHECK(valid(product));
  REQUIRE(product.threads.size() == 1);
  CHECK(product.threads[0] == ProductExhibit::Thread{2, {3}, {1, 2}, {5}, {1, 2}, {5}});
}

TEST_CASE("Product: a value is followed through shared memory to those who read it there") {
  Made made({"ld.global.f32 %f1, [%rd1];", "st.shared.f32 [%r1], %f1;", "ld.shared.f32 %f2, [%r1];",
             "mov.f32 %f1, 0f00000000;"});
  made.access(0, Made::kA + 12, 0).access(1, 40, 0).access(2, 40, 1).access(2, 40, 2);
  const ProductExhibit product = made.product();
  REQUIRE(product.threads.size() == 3);
  CHECK(product.threads[0] == ProductExhibit::Thread{0, {}, {}, {}, {3}, {}});
  CHECK(product.threads[1].a == Elements{3});
  CHECK(product.threads[2].a == Elements{3});
  CHECK(product.threads[1].loaded_a.empty());
}

TEST_CASE("Product: a value that was rounded or moved on its way is still followed, once") {
  Made made({"ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", "cvt.rna.tf32.f32 %r5, %f3;",
             "mov.b32 %r6, %r5;", "st.shared.u32 [%r1], %r6;", "ld.shared.u32 %r7, [%r1];"});
  made.access(0, Made::kB + 16, 0).access(3, 8, 0).access(4, 8, 9);
  // The register holds it no longer, so what is stored now is something else: a zero past the end.
  made.access(3, 12, 0).access(4, 12, 9);
  const ProductExhibit product = made.product();
  CHECK(product.threads[0].loaded_b == Elements{4, 5, 6, 7});
  CHECK(product.threads[0].b == Elements{4, 5, 7});
  CHECK(product.threads[1].b == Elements{6});
}

TEST_CASE("Product: a computed value that overwrites a place is nobody's element") {
  Made made({"ld.global.f32 %f1, [%rd1];", "st.shared.f32 [%r1], %f1;", "ld.shared.f32 %f2, [%r1];",
             "st.shared.f32 [%r1], %f9;"});
  made.access(0, Made::kA, 0).access(1, 0, 0).access(3, 0, 5).access(2, 0, 1);
  const ProductExhibit product = made.product();
  CHECK(std::ranges::all_of(product.threads, [](const auto& thread) { return thread.a.empty(); }));
}

TEST_CASE("Product: a trace that ends in this block is told") {
  Made made({"ld.global.f32 %f1, [%rd1];"});
  made.access(0, Made::kA, 0);
  CHECK_FALSE(made.product().cut);
  made.record.trace_cut = true;
  CHECK(made.product().cut);
  CHECK(holds(sentence(exhibit(made.product()), sample::keys()), "trace.cut"));
}

TEST_CASE("Product: a launch that a budget stopped is told, and one that failed otherwise is not") {
  Made made({"ld.global.f32 %f1, [%rd1];"});
  made.access(0, Made::kA, 0);
  made.record.error = device::Error{device::ErrorCode::budget_time, {}, {}};
  CHECK(made.product().stopped);
  CHECK(made.product().cut);
  made.record.error = device::Error{device::ErrorCode::trap, {}, {}};
  CHECK_FALSE(made.product().stopped);
}

TEST_CASE("Product: who uses an element, who loaded it, and whose an element of c is") {
  const ProductExhibit product = sample::product();
  const FactorCounts a = counts_of_a(product), b = counts_of_b(product);
  CHECK(a.users[8] == 2);  // row 2: threads 0 and 1
  CHECK(a.loads[8] == 1);
  CHECK(a.users[0] == 0);
  CHECK(b.users[2] == 2);  // column 2: threads 1 and 3
  CHECK(b.loads[2] == 2);
  CHECK(owners_of(product)[11] == 1);
  CHECK(owners_of(product)[0] == kNoThread);
}

TEST_CASE("Product: the sentence says what the thread computes, and with whom it shares") {
  CHECK(sentence(exhibit(sample::product()), sample::keys()) ==
        "product.computes(thread=1, block=3, results=product.elements(count=2)); "
        "product.uses(elements=product.elements(count=4), name=a, "
        "threads=product.threads(count=2), loads=product.loads(count=1)); "
        "product.uses(elements=product.elements(count=8), name=b, "
        "threads=product.threads(count=2), loads=product.loads(count=2))");
  CHECK(thread_text(sample::product(), 7, sample::keys()) == "product.idle(thread=7, block=3)");
  ProductExhibit blind = sample::product();
  blind.threads[1].a.clear();
  blind.threads[1].b.clear();
  CHECK(holds(thread_text(blind, 1, sample::keys()), "product.unseen"));
  ProductExhibit uneven = sample::product();
  uneven.threads[0].a.pop_back();
  CHECK(holds(thread_text(uneven, 1, sample::keys()), "product.threads-between(least=1, most=2)"));
}

TEST_CASE("Product: a thread that has only a part of what its results need holds it for others") {
  ProductExhibit product = sample::product();
  product.threads[1].a.resize(1);
  CHECK(holds(thread_text(product, 1, sample::keys()),
              "product.holds(needed=product.elements(count=4), name=a, held=1, "
              "loads=product.loads(count=1)); product.uses("));
  product.cut = true;  // perhaps it used the others later
  CHECK_FALSE(holds(thread_text(product, 1, sample::keys()), "product.holds"));
}

TEST_CASE("Product: text draws b above c, a beside it, and the thread's elements in them") {
  const std::string text = to_text(exhibit(sample::product()), english(), 100);
  CHECK(holds(text, "       ▒▒██\n"));
  CHECK(holds(text, "  ████ ▒▒██\n"));
  CHECK(holds(text, "  ···· ····\n"));
}

TEST_CASE("Product: the table has a row for each element that a thread computed") {
  const Table table = table_of(exhibit(sample::product()), english());
  REQUIRE(table.rows.size() == 8);
  CHECK(table.rows[3] == std::vector<std::string>{"1", "2", "3", "4", "8", "0", "8"});
}

TEST_CASE("Product's picture: every element of c is found where it lies, at any width") {
  const ProductExhibit product = sample::product();
  const double width = GENERATE(30.0, 300.0, 768.0);
  CAPTURE(width);
  const ProductLayout layout(product, width);
  CHECK(layout.c().right() <= width + 0.5);
  CHECK(layout.b().bottom() <= layout.c().y);
  CHECK(layout.a().right() <= layout.c().x);
  for (std::uint32_t element = 0; element < 16; ++element)
    REQUIRE(layout.result_at(layout.at(layout.c(), 4, element).middle()) == element);
  CHECK_FALSE(layout.result_at({layout.a().x, layout.a().y}));
}

TEST_CASE("Product's picture: what the thread uses has one frame where it is a rectangle") {
  const ProductExhibit product = sample::product();
  const ProductLayout layout(product, 600);
  const auto frames = [&](std::uint32_t thread) {
    const Drawing drawing =
        drawing_of(product, layout, thread, svg_canvas(layout.width(), english()));
    return std::ranges::count_if(drawing.items, [](const DrawnItem& item) {
      return item.stroke.paint.role() == Role::accent;
    });
  };
  CHECK(frames(1) == 3);  // a row of a, two columns of b, two neighbours of c
  CHECK(frames(9) == 0);
}

TEST_CASE(
    "Product: nothing and one element are drawn in every language; what is not in order is "
    "refused") {
  const auto strings = sample::strings(GENERATE(as<std::string>{}, "en", "zh"));
  CHECK_FALSE(holds(to_html(exhibit(ProductExhibit{}), *strings), "<svg"));
  CHECK(sentence(exhibit(ProductExhibit{}), sample::keys()) == "product.nothing");
  CHECK(holds(to_html(exhibit(sample::product()), *strings), "<svg"));
  CHECK(to_json(exhibit(sample::product()), english())["kind"] == "product");
  ProductExhibit outside = sample::product();
  outside.threads[0].a.push_back(16);
  CHECK_FALSE(valid(outside));
  ProductExhibit twice = sample::product();
  twice.threads[1].thread = 0;
  CHECK_FALSE(valid(twice));
}

}  // namespace warpbook::lab::product_exhibit_test
