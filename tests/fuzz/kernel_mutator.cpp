// libFuzzer mutator for sources of kernels: words for words and lines for lines, as changes of bytes alone would nearly
// always give sources that do not parse.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

constexpr auto kWords = std::to_array<std::string_view>({
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "100000",
    "2147483648",
    "1 << 63",
    "0.5",
    "1e300",
    "1.0",
    "True",
    "None",
    "'a'",
    "x",
    "v",
    "n",
    "i",
    "a",
    "b",
    "m",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "@",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "~",
    "not ",
    "and",
    "or",
    "is",
    "in",
    "not in",
    "<",
    "==",
    "!=",
    ">=",
    "=",
    "+=",
    "@=",
    "//=",
    ":=",
    "[0]",
    "[-1]",
    "[0, 1]",
    "[:]",
    "[1:3]",
    "[::2]",
    "[i]",
    "[x[0]]",
    "[None]",
    "()",
    "(1)",
    "(x, 2)",
    "(*a)",
    "(n=1)",
    ".x",
    ".xy",
    ".yx",
    ".shape",
    ".shape[0]",
    ".grad",
    ".n",
    ".dtype",
    ".norm()",
    ".sum()",
    ".transpose()",
    ".inverse()",
    ".determinant()",
    ".normalized()",
    ".dot(v)",
    ".cross(v)",
    ".outer_product(v)",
    ".cast(qd.i32)",
    ".subview(1, 2)",
    ".fill(0)",
    "qd.Vector([1, 2])",
    "qd.Vector([1.0, 2.0, 3.0])",
    "qd.Matrix([[1, 2], [3, 4]])",
    "qd.Matrix.zero(qd.f32, 3, 3)",
    "qd.Vector(i for i in range(3))",
    "qd.Struct(a=1, b=2)",
    "qd.static",
    "qd.static(1)",
    "qd.static(range(3))",
    "range(n)",
    "range(3)",
    "qd.ndrange(3, (1, 4))",
    "qd.grouped(x)",
    "zip([1, 2], [3, 4])",
    "enumerate([5, 6])",
    "[j for j in range(3)]",
    "qd.i8",
    "qd.u1",
    "qd.u64",
    "qd.i64",
    "qd.f16",
    "qd.f32",
    "qd.f64",
    "qd.types.vector(3, qd.f32)",
    "qd.types.matrix(2, 2, qd.f64)",
    "qd.types.struct(a=qd.i32)",
    "qd.template()",
    "qd.types.ndarray(dtype=qd.f32, ndim=1)",
    "qd.types.NDArray[qd.i32, 2]",
    "qd.BufferView[qd.f32]",
    "qd.Tensor",
    "tuple[qd.i32, qd.f32]",
    "qd.cast",
    "qd.bit_cast",
    "qd.select",
    "qd.min",
    "qd.max",
    "qd.sqrt",
    "qd.random(qd.f32)",
    "qd.atomic_add(x[0], 1)",
    "qd.length(x)",
    "qd.BufferView(x, 0, 2)",
    "qd.math.mix",
    "qd.loop_config(serialize=True)",
    "qd.static_assert(True)",
    "print(x[0], 'a', sep='')",
    "print(f'{n:5} {n!r}')",
    "assert n, 'm'",
    "return",
    "return n",
    "break",
    "continue",
    "pass",
    "if n:",
    "elif n > 1:",
    "else:",
    "while n:",
    "for i in x:",
    "for i in range(n):",
    "for i, j in qd.ndrange(2, 3):",
    "def f(a, b=1):",
    "lambda a: a",
    "1 if n else 2",
    "a, b = b, a",
    "a, *b = 1, 2, 3",
    "@qd.func",
    "@qd.kernel",
    "@qd.real_func",
    "@qd.dataclass",
    "class S:",
    "global x",
    "del x",
});

class Mutator {
 public:
  Mutator(std::string text, unsigned seed) : text_(std::move(text)), random_(seed) {}

  std::string run() {
    for (unsigned n = 1 + random_() % 3; n != 0; --n) {
      if (random_() % 3 == 0)
        change_lines();
      else
        change_words();
    }
    return std::move(text_);
  }

 private:
  /// Begins of words and signs, and the end.
  std::vector<size_t> words() const {
    std::vector<size_t> result;
    for (size_t i = 0; i < text_.size(); ++i) {
      auto is_word = [&](size_t at) {
        return std::isalnum(static_cast<unsigned char>(text_[at])) != 0 || text_[at] == '_';
      };
      if (!is_word(i) || i == 0 || !is_word(i - 1)) result.push_back(i);
    }
    result.push_back(text_.size());
    return result;
  }

  std::string piece(const std::vector<size_t>& begins, unsigned most) {
    size_t first = random_() % begins.size(), last = std::min(first + 1 + random_() % most, begins.size() - 1);
    return text_.substr(begins[first], begins[last] - begins[first]);
  }

  void change_words() {
    std::vector<size_t> begins = words();
    size_t first = random_() % begins.size(), last = std::min(first + random_() % 3, begins.size() - 1);
    std::string with = random_() % 3 == 0 ? piece(begins, 6) : std::string(kWords[random_() % kWords.size()]);
    if (random_() % 8 == 0) with.clear();
    text_.replace(begins[first], begins[last] - begins[first], with);
  }

  /// Doubles, moves, deletes or indents a line.
  void change_lines() {
    std::vector<std::string> lines(1);
    for (char c : text_) {
      if (c == '\n')
        lines.emplace_back();
      else
        lines.back() += c;
    }
    size_t at = random_() % lines.size(), to = random_() % lines.size();
    switch (random_() % 5) {
      case 0: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(to), std::string(lines[at])); break;
      case 1: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); break;
      case 2: std::swap(lines[at], lines[to]); break;
      case 3: lines[at].insert(0, "    "); break;
      default: {
        // A statement of the dictionary, as deep as the line that it stands before.
        size_t indent = std::min(lines[at].find_first_not_of(' '), lines[at].size());
        std::string_view word = kWords[random_() % kWords.size()];
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at),
                     std::string(indent, ' ') + (random_() % 2 == 0 ? "y = " : "") + std::string(word));
      }
    }
    text_.clear();
    for (size_t i = 0; i < lines.size(); ++i) text_ += (i == 0 ? "" : "\n") + lines[i];
  }

  std::string text_;
  std::mt19937 random_;
};

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  if (seed % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text = Mutator(std::string(reinterpret_cast<const char*>(data), size), seed).run();
  text.resize(std::min(text.size(), max_size));
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
