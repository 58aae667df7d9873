import theme from "vitepress/theme-without-fonts"
import "virtual:console-colours.css"
import "./style.css"

export default theme
